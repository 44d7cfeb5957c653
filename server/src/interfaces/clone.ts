/** How authorized clients clone a repository over HTTP. */
export interface PackRequest {
  /** The refs only, before anything is asked for. */
  advertise: boolean
  /** What git calls `Git-Protocol`. */
  protocol: string | undefined
  /** What the client wants and has. */
  input: AsyncIterable<Uint8Array>
  /** Aborts when the client disconnects. */
  signal: AbortSignal
  /** The client's credentials and address. Each may use a part of the processes at most. */
  build?: string
  runner?: string
}

export interface CloneServer {
  /** Answers as git does; throws a 503 while too many wait. */
  serve(repository: string, request: PackRequest): Promise<AsyncIterable<Uint8Array>>
}
