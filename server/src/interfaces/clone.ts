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
  /** Whose credentials the client has, and the address that it comes from. Each has a part of the processes at most. */
  build?: string
  runner?: string
}

export interface CloneServer {
  /** Answers as git does; throws a 503 while too many wait. */
  serve(repository: string, request: PackRequest): Promise<AsyncIterable<Uint8Array>>
}
