/**
 * The number of bits of a hash. With 24 bits and 10,000 known lines, one of 1,700 new lines is
 * taken for known.
 */
export const hashBits = 24

/** FNV-1a. */
export const basis = 0x811c9dc5
export const mix = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193)

/** Returns the upper bits, which are mixed better. */
export const finished = (mixed: number): number => {
  // The last characters have not affected the upper bits yet.
  const hash = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> (32 - hashBits)
}

/** The hash of a string's code units. */
export const hashOf = (text: string): number => {
  let hash = basis
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at))
  return finished(hash)
}
