import { createStore, type Store } from '../../browser/store.ts'

/**
 * What was typed in a form and not sent yet, for each place that has one. Whoever looks at another page meanwhile finds it again.
 * In memory only, as long as this document is there: a secret's value is nowhere else, and whoever signs in next has another one.
 */
export const draftsOf = <T>(empty: T): ((place: string) => Store<T>) => {
  const drafts = new Map<string, Store<T>>()
  return (place) => {
    const draft = drafts.get(place) ?? createStore(empty)
    drafts.set(place, draft)
    return draft
  }
}
