/** How whoever has a right to it clones a repository over HTTP. */
export interface PackRequest {
  /** The refs only, before anything is asked for. */
  advertise: boolean
  /** What git calls `Git-Protocol`. */
  protocol: string | undefined
  /** What the client wants and has. */
  input: AsyncIterable<Uint8Array>
  /** Aborted when the client has gone. */
  signal: AbortSignal
}

export interface CloneServer {
  /** Answers as git does; throws a 503 while too many wait. */
  serve(repository: string, request: PackRequest): Promise<AsyncIterable<Uint8Array>>
}
