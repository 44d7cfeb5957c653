/** What the key of search finds in on this page, where a page has something of its own: the log of a build. */
type Find = () => boolean

const finds: Find[] = []

/** `find` answers whether it has anything to look in. Returns how to take it back. */
export const offerFind = (find: Find): (() => void) => {
  finds.push(find)
  return () => void finds.splice(finds.indexOf(find), 1)
}

/** Whether a component handles the find shortcut; the most recent one is tried first. */
export const findOnPage = (): boolean => finds.toReversed().some((find) => find())
