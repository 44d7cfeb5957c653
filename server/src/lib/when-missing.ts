/** For `catch`: returns `value` if there is no such file or folder. Rethrows every other error. */
export const whenMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return value
    throw error
  }
