/** Something about this machine keeps the server from starting; the text says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
