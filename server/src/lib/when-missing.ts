/** For `catch`: `value` where there is no such file or folder. Throws every other error. */
export const whenMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return value
    throw error
  }
