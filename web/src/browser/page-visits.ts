/** The repositories and builds that were recently opened in this browser, for the search. */
import { useEffect } from 'react'

import { readPreference, writePreference } from './preference.ts'

export interface PageVisit {
  namespace: string
  name: string
  /** Only for the page of a build. */
  number?: number
}

const key = 'page-visits'
const maxVisits = 30

const isSame = (a: PageVisit, b: PageVisit): boolean =>
  a.namespace === b.namespace && a.name === b.name && a.number === b.number

/** Newest first, each page once. Pure. */
export const addVisit = (visits: readonly PageVisit[], visit: PageVisit): PageVisit[] =>
  [visit, ...visits.filter((other) => !isSame(other, visit))].slice(0, maxVisits)

const isVisit = (value: unknown): value is PageVisit =>
  typeof value === 'object' &&
  value !== null &&
  'namespace' in value &&
  typeof value.namespace === 'string' &&
  'name' in value &&
  typeof value.name === 'string' &&
  (!('number' in value) || typeof value.number === 'number')

/** Parses the stored visits and ignores invalid values. Pure. */
export const parseVisits = (text: string | undefined): PageVisit[] => {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(parsed) ? parsed.filter(isVisit) : []
  } catch {
    return []
  }
}

export const readVisits = (): PageVisit[] => parseVisits(readPreference(key))

/** Records a visit to the page of a repository or build. */
export const useRecordVisit = (namespace: string, name: string, number?: number): void => {
  useEffect(() => {
    const visit = { namespace, name, ...(number !== undefined && { number }) }
    writePreference(key, JSON.stringify(addVisit(readVisits(), visit)))
  }, [namespace, name, number])
}
