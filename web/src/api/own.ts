/**
 * What only our own server answers, and few pages ask: apart from the client, so that it comes with the code of those pages.
 * Answers are looked at as the client's are.
 */
import {
  ApiError,
  withoutEnd,
  type Again,
  type Build,
  type SourceAuthors,
  type SourceFile,
  type StepChanges,
  type BuildHistory,
  type RepoTimes,
  type SearchAnswer,
  type UsualTimes,
} from '@flightdeck/api'
import { createSend } from '@flightdeck/api/client'
import { queryOptions } from '@tanstack/react-query'

import { paths } from '../lib/paths.ts'
import { send } from './client.ts'
import { isStatus } from './query-client.ts'

/** A call of our own server. */
export const ask = createSend({
  baseUrl: withoutEnd(import.meta.env.VITE_SERVER_URL ?? '', '/'),
  token: import.meta.env.VITE_TOKEN,
  fetch: send,
})
const repo = (namespace: string, name: string): string => `/api/repos${paths.repo(namespace, name)}`
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const unexpected = 'Unexpected response from the server'

type Fits = (answer: Record<string, unknown>) => boolean

/** Reads an answer of our own server; an `ApiError` where it does not fit. */
export const read = async <T>(pathname: string, fits: Fits): Promise<T> => {
  const answer = await ask('GET', pathname)
  if (!isRecord(answer) || !fits(answer)) throw new ApiError(200, unexpected)
  return answer as T
}

/** Asks our own server to do something whose answer no screen shows. */
export const post = (pathname: string): Promise<unknown> => ask('POST', pathname)

/** As `read`; `null` where there is nothing. */
const readIfAny = async <T>(pathname: string, fits: Fits): Promise<T | null> => {
  const answer = await ask('GET', pathname)
  if (answer === null) return null
  if (!isRecord(answer) || !fits(answer)) throw new ApiError(200, unexpected)
  return answer as T
}

/** Only a part of a build runs again. */
export const runPart = async (namespace: string, name: string, number: number, part: Again): Promise<Build | null> =>
  (await ask('POST', `${repo(namespace, name)}/builds/${number}/again`, { query: { ...part } })) as Build | null

const isNumber = (value: unknown): boolean => typeof value === 'number'
const isUsual = (value: unknown): boolean =>
  isRecord(value) && [value['median'], value['low'], value['high']].every(isNumber)

/** How long the build and its steps usually take on its branch. */
export const usualQuery = (namespace: string, name: string, build: number) =>
  queryOptions({
    queryKey: ['usual', namespace, name, build],
    queryFn: () =>
      read<UsualTimes>(
        `${repo(namespace, name)}/builds/${build}/usual`,
        ({ steps, build: whole }) =>
          Array.isArray(steps) && steps.every(isUsual) && (whole === undefined || isUsual(whole)),
      ),
    // What was before this build does not change.
    staleTime: Infinity,
  })

const isPlaces = (value: unknown): boolean =>
  Array.isArray(value) && value.every((place) => isRecord(place) && typeof place['slug'] === 'string')
const isHistory = (value: unknown): boolean => {
  if (!isRecord(value)) return false
  const { seen, runs, passed } = value
  return (
    (passed === undefined || (isRecord(passed) && isNumber(passed['build']))) &&
    (seen === undefined || (isRecord(seen) && isNumber(seen['times']) && isPlaces(seen['places']))) &&
    (runs === undefined || (isRecord(runs) && isNumber(runs['count']) && Array.isArray(runs['mixed'])))
  )
}

/** What is known of the failed steps of a build from before; `known`: since the reason of its failure is. */
export const historyQuery = (namespace: string, name: string, build: number, known: boolean) =>
  queryOptions({
    queryKey: ['history', namespace, name, build, known],
    queryFn: () =>
      read<BuildHistory>(
        `${repo(namespace, name)}/builds/${build}/history`,
        ({ steps }) => Array.isArray(steps) && steps.every(isHistory),
      ),
  })

/** How long each run of a step took in the last builds of a branch; without a branch of the default one. */
export const timesQuery = (namespace: string, name: string, branch: string | undefined) =>
  queryOptions({
    queryKey: ['times', namespace, name, branch],
    queryFn: () =>
      read<RepoTimes>(
        `${repo(namespace, name)}/times${branch === undefined ? '' : `?branch=${encodeURIComponent(branch)}`}`,
        ({ builds, steps }) =>
          Array.isArray(builds) &&
          Array.isArray(steps) &&
          steps.every((step) => isRecord(step) && Array.isArray(step['runs'])),
      ),
  })

/** A script that runs a step elsewhere. */
export const scriptQuery = (namespace: string, name: string, ...[build, stage, step]: [number, number, number]) =>
  queryOptions({
    queryKey: ['script', namespace, name, build, stage, step],
    queryFn: () =>
      read<{ text: string }>(
        `${repo(namespace, name)}/builds/${build}/script/${stage}/${step}`,
        ({ text }) => typeof text === 'string',
      ),
    // A build that is over does not change.
    staleTime: Infinity,
  })

/** Which step of which build. */
export interface StepOfBuild {
  namespace: string
  name: string
  build: number
  stage: number
  step: number
}

/** What is another since the step last passed; `null` where it never did. */
export const stepChangesQuery = ({ namespace, name, build, stage, step }: StepOfBuild) =>
  queryOptions({
    queryKey: ['changes', namespace, name, build, stage, step],
    queryFn: async (): Promise<StepChanges | null> => {
      try {
        return await readIfAny<StepChanges>(
          `${repo(namespace, name)}/builds/${build}/changes/${stage}/${step}`,
          ({ since, commits }) => isRecord(since) && (commits === undefined || Array.isArray(commits)),
        )
      } catch (error) {
        if (isStatus(error, 404)) return null
        throw error
      }
    },
    staleTime: Infinity,
  })

/** As a log names it. */
export interface LineOfFile {
  path: string
  line: number
}

const lineQuery = ({ path, line }: LineOfFile): string => `path=${encodeURIComponent(path)}&line=${line}`

/** The lines around one of a file, at the commit of a build. */
export const sourceQuery = (namespace: string, name: string, build: number, place: LineOfFile) =>
  queryOptions({
    queryKey: ['source', namespace, name, build, place.path, place.line],
    queryFn: () =>
      read<SourceFile>(
        `${repo(namespace, name)}/builds/${build}/source?${lineQuery(place)}`,
        ({ kind, lines }) => typeof kind === 'string' && (kind !== 'text' || Array.isArray(lines)),
      ),
    staleTime: Infinity,
  })

/** The authors that changed those lines last. Git may have been too slow: then there are none, and it is asked again the next time. */
export const authorsQuery = ({ namespace, name, build, stage, step }: StepOfBuild, place: LineOfFile) =>
  queryOptions({
    queryKey: ['authors', namespace, name, build, stage, step, place.path, place.line],
    queryFn: () =>
      read<SourceAuthors>(
        `${repo(namespace, name)}/builds/${build}/authors/${stage}/${step}?${lineQuery(place)}`,
        ({ lines, commits }) => Array.isArray(lines) && Array.isArray(commits),
      ),
    staleTime: 60_000,
  })

/** Everything on the server that the text is found in; today builds. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: () =>
      read<SearchAnswer>(
        `/api/search?text=${encodeURIComponent(text)}`,
        ({ builds }) =>
          isRecord(builds) &&
          Array.isArray(builds['items']) &&
          builds['items'].every((item) => isRecord(item) && isRecord(item['build'])),
      ),
  })
