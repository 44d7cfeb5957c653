import { createStore, type Store } from '../../browser/store.ts'

/**
 * Unsaved form input, one draft per form, restored when the user returns from another page. In
 * memory only, for the lifetime of the document: a secret's value is stored nowhere else, and
 * another user who signs in gets a new document.
 */
export const draftsOf = <T>(empty: T): ((place: string) => Store<T>) => {
  const drafts = new Map<string, Store<T>>()
  return (place) => {
    const draft = drafts.get(place) ?? createStore(empty)
    drafts.set(place, draft)
    return draft
  }
}
