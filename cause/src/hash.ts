/** Of a hash that are kept. 24 bits: of 10,000 lines one in 1,700 new ones is taken for known. */
export const hashBits = 24

/** FNV-1a. */
export const basis = 0x811c9dc5
export const mix = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193)

/** The upper bits, which are the better mixed ones. */
export const finished = (mixed: number): number => {
  // The last characters have not reached the upper bits yet.
  const hash = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> (32 - hashBits)
}

/** Over the code units. */
export const hashOf = (text: string): number => {
  let hash = basis
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at))
  return finished(hash)
}
