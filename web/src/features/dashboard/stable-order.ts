/** The current items in the order in which they were shown; new items come last. */
export const keepOrder = <T>(shown: readonly T[], items: readonly T[], key: (item: T) => string): readonly T[] => {
  const byKey = new Map(items.map((item) => [key(item), item]))
  const kept = shown.flatMap((item) => {
    const now = byKey.get(key(item))
    byKey.delete(key(item))
    return now === undefined ? [] : [now]
  })
  const ordered = [...kept, ...byKey.values()]
  return ordered.every((item, index) => item === items[index]) ? items : ordered
}
