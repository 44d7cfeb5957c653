/** The repository that this tab has just activated: its page offers the first build, with the focus on it. */
let slug: string | undefined

export const rememberActivated = (activated: string): void => {
  slug = activated
}

/** Whether it is this one. Asking changes nothing: React may render a page twice before it shows it. */
export const isJustActivated = (asked: string): boolean => slug === asked

/** The focus is set: a later visit of the page is an ordinary one. */
export const discardActivated = (): void => {
  slug = undefined
}
