/**
 * The repository that this tab has just activated: its page offers the first build, with the focus
 * on it.
 */
let slug: string | undefined

export const rememberActivated = (activated: string): void => {
  slug = activated
}

/**
 * Whether it is this repository. Has no side effects: React can render a page twice before it shows
 * it.
 */
export const isJustActivated = (requestedSlug: string): boolean => slug === requestedSlug

/** Called once the focus is set, so that later visits of the page are ordinary ones. */
export const discardActivated = (): void => {
  slug = undefined
}
