/** The repository that this tab has just activated: its page offers the first build, under the finger. */
let slug: string | undefined

export const rememberActivated = (activated: string): void => {
  slug = activated
}

/** Whether it is this one; asked once. */
export const takeActivated = (asked: string): boolean => {
  const same = slug === asked
  if (same) slug = undefined
  return same
}
