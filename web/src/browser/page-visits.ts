/** The repositories and builds that were opened last in this browser, for the search. */
import { useEffect } from 'react'

import { readPreference, writePreference } from './preference.ts'

export interface PageVisit {
  namespace: string
  name: string
  /** The number of the build, on its page. */
  number?: number
}

const key = 'page-visits'
const maxVisits = 30

const isSame = (a: PageVisit, b: PageVisit): boolean =>
  a.namespace === b.namespace && a.name === b.name && a.number === b.number

/** Newest first, each page once. Pure. */
export const addVisit = (visits: readonly PageVisit[], visit: PageVisit): PageVisit[] =>
  [visit, ...visits.filter((one) => !isSame(one, visit))].slice(0, maxVisits)

const isVisit = (value: unknown): value is PageVisit =>
  typeof value === 'object' &&
  value !== null &&
  'namespace' in value &&
  typeof value.namespace === 'string' &&
  'name' in value &&
  typeof value.name === 'string' &&
  (!('number' in value) || typeof value.number === 'number')

/** Ignores everything else that is stored. Pure. */
export const parseVisits = (text: string | undefined): PageVisit[] => {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(parsed) ? parsed.filter(isVisit) : []
  } catch {
    return []
  }
}

export const readVisits = (): PageVisit[] => parseVisits(readPreference(key))

/** Records that the page of a repository or build was opened. */
export const useRecordVisit = (namespace: string, name: string, number?: number): void => {
  useEffect(() => {
    const visit = { namespace, name, ...(number !== undefined && { number }) }
    writePreference(key, JSON.stringify(addVisit(readVisits(), visit)))
  }, [namespace, name, number])
}
