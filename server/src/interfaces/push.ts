/** How a person with the right to write pushes to a repository over HTTP. */
export interface PushRequest {
  /** The refs only, before anything is sent. */
  advertise: boolean
  /** The commands and the pack of the client. */
  input: AsyncIterable<Uint8Array>
  /** Aborted when the client has disconnected. */
  signal: AbortSignal
  /** For the reflog. */
  person: { login: string; email: string }
  /**
   * Rejects when the person may not write any more. A push may take minutes, in which rights end.
   */
  stillMay(): Promise<void>
}

export interface PushServer {
  /**
   * Answers as `git receive-pack` does; throws a 503 while too many push, a 403 where a repository
   * cannot be pushed to. Rejects with what `stillMay` says, too.
   */
  receive(repository: string, request: PushRequest): Promise<AsyncIterable<Uint8Array>>
}
