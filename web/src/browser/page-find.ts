/**
 * What the search key searches on a page that has its own content to search: the log of a build.
 */
type Find = () => boolean

const finds: Find[] = []

/** `find` returns whether there is something to search. Returns a function that unregisters it. */
export const offerFind = (find: Find): (() => void) => {
  finds.push(find)
  return () => void finds.splice(finds.indexOf(find), 1)
}

/** Whether a component handles the find shortcut; the most recent one is tried first. */
export const findOnPage = (): boolean => finds.toReversed().some((find) => find())
