import type { Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { queryOf } from './queries.ts'

/** The repository of the page. The layout shows a page only once it has it. */
export const useRepo = (namespace: string, name: string): Repo => {
  const { data } = useQuery(queryOf('getRepo', namespace, name))
  if (!data) throw new Error(`${namespace}/${name} was not loaded`)
  return data
}
