import type { Readable } from 'node:stream'

/** How authorized clients clone a repository over HTTP. */
export interface PackRequest {
  /** The refs only, before anything is asked for. */
  advertise: boolean
  /** The `Git-Protocol` header. */
  protocol: string | undefined
  /** The request body: the objects that the client wants and has. */
  input: AsyncIterable<Uint8Array>
  /** Aborts when the client disconnects. */
  signal: AbortSignal
  /** The client's credentials and address. Each can use at most a part of the processes. */
  build?: string
  runner?: string
}

export interface LfsObject {
  size: number
  /** Closes the file at its end. */
  content(): Readable
  close(): Promise<void>
}

export interface CloneServer {
  /** An object of Git LFS, or `null` if the repository's folder does not contain it. */
  openLfsObject(repository: string, oid: string): Promise<LfsObject | null>
  /** Responds as git does; throws a 503 if too many requests wait. */
  serve(repository: string, request: PackRequest): Promise<AsyncIterable<Uint8Array>>
}
