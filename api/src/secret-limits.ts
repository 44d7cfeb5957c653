/**
 * The maximum size of a secret. Linux limits a variable to 128 KiB, and the log masker searches a
 * step's whole output for each line of a secret. Page, server and runner check it with the same
 * messages.
 */

/** Per secret, in bytes of UTF-8. */
export const maxSecretBytes = 64 * 1024
/** Per secret. A certificate bundle of the maximum size has about 1,000 lines. */
export const maxSecretLines = 2_000
/** All secrets of a stage together, in bytes of UTF-8. */
export const maxStageSecretBytes = 1024 * 1024

const counted = (value: number): string => value.toLocaleString('en-US')

/** Why a value is too large for a secret; `undefined` if it is not. */
export function secretSizeError(value: string): string | undefined {
  if (value.length > maxSecretBytes || new TextEncoder().encode(value).length > maxSecretBytes)
    return `Invalid Secret Value: it has more than ${counted(maxSecretBytes)} bytes`
  const lines = (value.match(/\r\n?|\n/g)?.length ?? 0) + 1
  return lines > maxSecretLines ? `Invalid Secret Value: it has more than ${counted(maxSecretLines)} lines` : undefined
}
