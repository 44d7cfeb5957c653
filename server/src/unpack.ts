/** What a saved log that is packed (gzip) goes through to be read. The two halves are typed for any buffer; these carry plain bytes. */
export const unpack = (): ReadableWritablePair<Uint8Array, Uint8Array> =>
  new DecompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array, Uint8Array>
