/** Saved views: Flightdeck stores them per user; with other servers this browser does. */
import type { SavedView, ViewList } from '@flightdeck/api'
import { queryOptions, useQuery } from '@tanstack/react-query'

import { readPreference, writePreference } from '../browser/preference.ts'
import type { Action } from './action.ts'
import { useCapability } from './capabilities.ts'
import { ownClient } from './own-client.ts'
import { userQuery } from './queries.ts'
import { queryClient } from './query-client.ts'
import { useMe } from './session.ts'

const storageKey = 'views'
const none: readonly SavedView[] = []

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' && value !== null && 'list' in value && 'name' in value && 'query' in value

const readStoredViews = (): readonly SavedView[] => {
  try {
    const views: unknown = JSON.parse(readPreference(storageKey) ?? '[]')
    return Array.isArray(views) ? views.filter(isView) : none
  } catch {
    return none
  }
}

const localViewsQuery = queryOptions({
  queryKey: ['keptViews'],
  queryFn: readStoredViews,
  initialData: readStoredViews,
  staleTime: Infinity,
})

const writeStoredViews = (views: readonly SavedView[]): void => {
  writePreference(storageKey, JSON.stringify(views))
  queryClient.setQueryData(localViewsQuery.queryKey, views)
}

const isSame = (view: Pick<SavedView, 'list' | 'name'>, other: Pick<SavedView, 'list' | 'name'>): boolean =>
  view.list === other.list && view.name === other.name

/** Pure. The views after saving one: each list has at most one default. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] => [
  ...views
    .filter((other) => !isSame(other, view))
    .map((other) => (view.default && other.list === view.list ? { ...other, default: false } : other)),
  view,
]

export interface Views {
  /** The views of this list, by name. */
  views: readonly SavedView[]
  /** Whether the server stores them, not this browser. */
  own: boolean
}

export const useViews = (list: ViewList): Views => {
  const own = useCapability('views')
  const me = useMe()
  const { data } = useQuery(localViewsQuery)
  const views = (own ? (me?.views ?? none) : data).filter((view) => view.list === list)
  return { views: views.toSorted((a, b) => a.name.localeCompare(b.name)), own }
}

const subject = 'views'
const stale = [userQuery().queryKey]

export const saveView = (own: boolean): Action<SavedView, unknown> => ({
  name: 'save',
  subject,
  send: async (view) => {
    if (own) await ownClient.saveView(view)
    else writeStoredViews(withView(readStoredViews(), view))
  },
  ...(own && { stale }),
  failed: 'Unable to save the view',
})

export const deleteView = (own: boolean): Action<SavedView, unknown> => ({
  name: 'delete',
  subject,
  send: async (view) => {
    if (own) await ownClient.deleteView({ list: view.list, name: view.name })
    else writeStoredViews(readStoredViews().filter((other) => !isSame(other, view)))
  },
  ...(own && { stale }),
  done: (_, { name }) => `View ${name} has been deleted`,
  failed: 'Unable to delete the view',
})
