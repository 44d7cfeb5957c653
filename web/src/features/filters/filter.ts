/**
 * The filter of a build list. It is stored in the URL, so it can be shared and survives reload and
 * Back.
 */
import { buildEvents, statuses, type BuildEvent, type Status } from '@flightdeck/api'

import { readDay, readDuration } from './typed-times.ts'

export const filterNames = [
  'text',
  'status',
  'event',
  'branch',
  'environment',
  'author',
  'since',
  'until',
  'longer',
  'shorter',
] as const
export type FilterName = (typeof filterNames)[number]

/** As in the URL, valid or not; an empty text does not filter. */
export type ListFilter = Readonly<Record<FilterName, string>>

/** The lists, and the filters of each. */
export const filtersOf = {
  builds: filterNames,
  branches: ['text', 'status', 'author', 'since', 'until'],
  deployments: ['text', 'status', 'event', 'author', 'since', 'until'],
  pulls: ['text', 'status', 'author', 'since', 'until'],
  feed: ['text', 'status', 'event', 'author', 'since', 'until'],
} as const satisfies Record<string, readonly FilterName[]>
export type ListName = keyof typeof filtersOf

/**
 * A filter without invalid values, in the format of Flightdeck's API (docs/api §2.4): times and
 * durations in seconds.
 */
export interface Conditions {
  text?: string
  status?: Status
  event?: BuildEvent
  branch?: string
  environment?: string
  author?: string
  since?: number
  until?: number
  longer?: number
  shorter?: number
}

export interface ReadFilter {
  conditions: Conditions
  /** Why a value is invalid, by the filter's name. */
  faults: Readonly<Partial<Record<FilterName, string>>>
}

export const noFilter = Object.fromEntries(filterNames.map((name) => [name, ''])) as Record<FilterName, string>

export const readAddress = (params: URLSearchParams, list: ListName): ListFilter => ({
  ...noFilter,
  ...Object.fromEntries(filtersOf[list].map((name) => [name, params.get(name)?.trim() ?? ''])),
})

export const isFiltered = (filter: ListFilter): boolean => filterNames.some((name) => filter[name] !== '')

/** For the URL: `undefined` removes a name. */
export const filterParams = (filter: ListFilter, list: ListName): Record<string, string | undefined> =>
  Object.fromEntries(filtersOf[list].map((name) => [name, filter[name].trim() || undefined]))

/** The server's limit. */
const maxChars = 200

const oneOf =
  <T extends string>(what: string, known: readonly T[]) =>
  (value: string): T => {
    const found = known.find((choice) => choice === value)
    if (found === undefined) throw new RangeError(`Unknown ${what} “${value.slice(0, 50)}”.`)
    return found
  }
const short =
  (name: string) =>
  (value: string): string => {
    if (value.length > maxChars) throw new RangeError(`The ${name} can have at most ${maxChars} characters.`)
    return value
  }

/** The filter in the URL at the given time, in seconds since 1970. Invalid values are ignored. */
export const readConditions = (filter: ListFilter, now: number): ReadFilter => {
  const readers: { [N in FilterName]: (value: string) => Required<Conditions>[N] } = {
    text: short('text'),
    status: oneOf('status', statuses),
    event: oneOf('event', buildEvents),
    branch: short('branch'),
    environment: short('environment'),
    author: short('author'),
    since: (value) => readDay(value, now).start,
    until: (value) => readDay(value, now).end,
    longer: readDuration,
    shorter: readDuration,
  }
  const faults: Partial<Record<FilterName, string>> = {}
  const read = filterNames.flatMap((name) => {
    if (filter[name] === '') return []
    try {
      return [[name, readers[name](filter[name])]]
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      faults[name] = error.message
      return []
    }
  })
  const conditions = Object.fromEntries(read) as Conditions
  const { since, until, longer, shorter } = conditions
  if (since !== undefined && until !== undefined && since >= until) {
    faults.until = 'The start date is after the end date.'
    delete conditions.until
  }
  if (longer !== undefined && shorter !== undefined && longer >= shorter) {
    faults.shorter = `“Longer than” must be less than “Shorter than”.`
    delete conditions.shorter
  }
  return { conditions, faults }
}
