/** What is different between the refs that were seen last and those that are there now. */
export interface RefChange {
  ref: string
  /** `''` for a new ref. */
  before: string
  /** `''` for one that is gone. */
  after: string
}

export function compareRefs(seen: ReadonlyMap<string, string>, present: ReadonlyMap<string, string>): RefChange[] {
  const changes: RefChange[] = []
  for (const [ref, after] of present) {
    const before = seen.get(ref) ?? ''
    if (before !== after) changes.push({ ref, before, after })
  }
  for (const [ref, before] of seen) if (!present.has(ref)) changes.push({ ref, before, after: '' })
  return changes
}
