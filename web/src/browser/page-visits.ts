/** The repositories and builds that were opened last in this browser, for the search. */
import { useEffect } from 'react'

import { readPreference, writePreference } from './preference.ts'

export interface Place {
  namespace: string
  name: string
  /** Of a build. */
  number?: number
}

const key = 'visited-places'
const maxPlaces = 30

const isSame = (a: Place, b: Place): boolean =>
  a.namespace === b.namespace && a.name === b.name && a.number === b.number

/** Newest first, each place once. Pure. */
export const addPlace = (places: readonly Place[], place: Place): Place[] =>
  [place, ...places.filter((one) => !isSame(one, place))].slice(0, maxPlaces)

const isPlace = (value: unknown): value is Place =>
  typeof value === 'object' &&
  value !== null &&
  'namespace' in value &&
  typeof value.namespace === 'string' &&
  'name' in value &&
  typeof value.name === 'string' &&
  (!('number' in value) || typeof value.number === 'number')

/** Anything else that is stored counts as no place. Pure. */
export const parsePlaces = (text: string | undefined): Place[] => {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(parsed) ? parsed.filter(isPlace) : []
  } catch {
    return []
  }
}

export const readVisitedPlaces = (): Place[] => parsePlaces(readPreference(key))

/** Records that the page of a place is open. */
export const useVisitedPlace = (namespace: string, name: string, number?: number): void => {
  useEffect(() => {
    const place = { namespace, name, ...(number !== undefined && { number }) }
    writePreference(key, JSON.stringify(addPlace(readVisitedPlaces(), place)))
  }, [namespace, name, number])
}
