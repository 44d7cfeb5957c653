/** The filters of the list of builds (docs/api §2.4). */
import { buildEvents, statuses } from '@flightdeck/api'
import { Refusal } from '../lib/refusal.ts'
import type { BuildFilter } from '../store/filter-builds.ts'

const maxChars = 200
const maxValues = 20

const listOf = <T extends string>(query: URLSearchParams, name: string, known: readonly T[]): T[] => {
  const given = [...new Set(query.getAll(name))].filter((value) => value !== '')
  return given.slice(0, maxValues).map((value) => {
    const found = known.find((one) => one === value)
    if (found === undefined) throw new Refusal(400, `Invalid ${name} ${JSON.stringify(value.slice(0, 50))}`)
    return found
  })
}
const textOf = (query: URLSearchParams, name: string): string | undefined => {
  const text = query.get(name)?.trim() ?? ''
  if (text.length > maxChars) throw new Refusal(400, `The ${name} can have at most ${maxChars} characters`)
  return text === '' ? undefined : text
}

/** The year 9999 as the upper bound of times; an ordinary number for SQLite. */
const maxSeconds = 253_402_300_799
const secondsOf = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name)?.trim() ?? ''
  if (text === '') return undefined
  const seconds = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  if (!(seconds <= maxSeconds)) throw new Refusal(400, `Invalid ${name} ${JSON.stringify(text.slice(0, 50))}`)
  return seconds
}

/**
 * Throws a 400 for an event or a status that does not exist, for texts of more than 200 characters,
 * and for a time or a duration that is not a whole number of seconds.
 */
export const readBuildFilter = (query: URLSearchParams): BuildFilter => ({
  branch: textOf(query, 'branch'),
  events: listOf(query, 'event', buildEvents),
  statuses: listOf(query, 'status', statuses),
  author: textOf(query, 'author'),
  environment: textOf(query, 'environment'),
  text: textOf(query, 'text'),
  since: secondsOf(query, 'since'),
  until: secondsOf(query, 'until'),
  longer: secondsOf(query, 'longer'),
  shorter: secondsOf(query, 'shorter'),
})
