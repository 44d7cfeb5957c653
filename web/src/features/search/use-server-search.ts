import type { SearchAnswer } from '@flightdeck/api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { ownQueryOf } from '../../api/own-client.ts'
import { useCapability } from '../../api/capabilities.ts'
import { errorText, isStatus } from '../../api/query-client.ts'
import { useDebounced } from '../../browser/use-debounced.ts'

/** Debounce: the delay after the last key press before the request. */
const pauseMs = 120
/**
 * The server's limits (server/src/http/routes/search.ts, server/src/store/build-search/words.ts).
 */
const maxChars = 200
const maxWords = 8

export interface ServerSearch {
  /** The builds that the server found for the last requested text. */
  builds: SearchAnswer['builds'] | undefined
  isPending: boolean
  /** Shown below the results: which part of the text was not searched, and why. */
  note: string | undefined
}

const onlyLoaded =
  'This server can’t search builds. Only the branches and builds that this page has loaded were searched.'

/** The note if the server ignores part of a long query; `undefined` if it uses all of it. */
export const cutNote = (query: string): string | undefined => {
  if (query.length > maxChars) return `Only the first ${maxChars} characters were used to search builds.`
  const words = query.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  return words.length > maxWords ? `Only the first ${maxWords} words were used to search builds.` : undefined
}

const noteOf = (error: unknown, builds: SearchAnswer['builds'] | undefined): string | undefined => {
  if (isStatus(error, 404)) return onlyLoaded
  if (error) return `Not all builds were searched: ${errorText(error)}`
  if (builds?.indexing) return 'Older builds are still being indexed; some may be missing.'
  return builds?.more ? 'Only the newest matching builds are shown. Keep typing to narrow the results.' : undefined
}

const joined = (...notes: (string | undefined)[]): string | undefined =>
  notes.filter((note) => note !== undefined).join(' ') || undefined

/** Flightdeck searches all builds; with other servers, only loaded ones are found. */
export const useServerSearch = (query: string): ServerSearch => {
  const own = useCapability('search')
  const text = query.slice(0, maxChars)
  const requestedText = useDebounced(text, pauseMs)
  const { data, error, isFetching } = useQuery({
    ...ownQueryOf('search', { text: requestedText }),
    enabled: own && requestedText !== '',
    placeholderData: keepPreviousData,
  })
  if (query === '') return { builds: undefined, isPending: false, note: undefined }
  if (!own) return { builds: undefined, isPending: false, note: onlyLoaded }
  const isCurrent = text === requestedText && !isFetching
  return {
    builds: isCurrent && !error ? data?.builds : undefined,
    isPending: !isCurrent,
    note: isCurrent ? joined(noteOf(error, data?.builds), error ? undefined : cutNote(query)) : undefined,
  }
}
