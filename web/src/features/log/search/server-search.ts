/**
 * A search by Flightdeck's server in all steps of a build or of the last builds, with streamed
 * results.
 */
import { errorMessage } from '../../../lib/error-message.ts'
import { ApiError, type Query, type SearchMessage } from '@flightdeck/api'

import { browserEnvironment, type LogEnvironment } from '../source/environment.ts'
import { requestLog, messageOf } from '../source/saved-log.ts'
import { tooSlow, type MultiLogSearch, type MultiLogSearchState, type FoundStep } from './multi-log-search.ts'
import { MultiLogSearchStore } from './multi-log-search-store.ts'

interface SearchedScope {
  namespace: string
  name: string
  /** Searches only this build. */
  build?: number
}

const pathOf = ({ namespace, name, build }: SearchedScope, query: Query): string => {
  const parameters = new URLSearchParams({ text: query.text })
  if (build !== undefined) parameters.set('build', String(build))
  if (query.matchCase) parameters.set('case', 'true')
  if (query.word) parameters.set('word', 'true')
  if (query.pattern) parameters.set('pattern', 'true')
  return `/api/repos/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}/search?${parameters}`
}

const stepOf = (
  { namespace, name, build: only }: SearchedScope,
  { build, stage, step, began, count, hits }: Extract<SearchMessage, { type: 'found' }>,
): FoundStep => ({
  address: { namespace, name, build: build.number, stage: stage.number, step: step.number },
  label: `${stage.name} / ${step.name}`,
  started: step.started,
  began,
  ...(only === undefined && { build }),
  count,
  hits,
})

/** A newer result for the same step replaces the previous one. */
const withStep = (found: readonly FoundStep[], step: FoundStep): FoundStep[] => {
  const last = found.at(-1)?.address
  const { build, stage, step: number } = step.address
  const isSame = last?.build === build && last.stage === stage && last.step === number
  return [...(isSame ? found.slice(0, -1) : found), step]
}

const stopWords = { pattern: tooSlow, time: 'The search timed out' }

const changed = (searched: SearchedScope, state: MultiLogSearchState, message: SearchMessage): MultiLogSearchState => {
  switch (message.type) {
    case 'begin':
      return { ...state, total: message.builds }
    case 'found':
      return { ...state, found: withStep(state.found, stepOf(searched, message)) }
    case 'searched':
      return { ...state, done: state.done + 1, oldest: message.build, unread: state.unread + message.unread }
    case 'end':
      return { ...state, over: true, error: message.stopped && stopWords[message.stopped] }
  }
}

/** Calls back with the messages of each received chunk. */
async function readMessages(response: Response, onMessages: (messages: SearchMessage[]) => void): Promise<void> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) onMessages(lines.map((line): SearchMessage => JSON.parse(line)))
  }
}

export const serverSearch = (
  searched: SearchedScope,
  environment: Pick<LogEnvironment, 'fetch'> = browserEnvironment,
): MultiLogSearch => {
  const store = new MultiLogSearchStore(searched.build === undefined ? 'builds' : 'steps')

  async function run(path: string, signal: AbortSignal): Promise<void> {
    try {
      const response = await requestLog(environment, path, signal)
      if (!response.ok) throw new ApiError(response.status, messageOf(response.status, await response.text()))
      await readMessages(response, (messages) =>
        store.update(signal, (state) => messages.reduce((now, message) => changed(searched, now, message), state)),
      )
      store.update(signal, ({ over }) => (over ? {} : { over: true, error: 'The search was interrupted' }))
    } catch (error) {
      store.update(signal, () => ({ over: true, error: errorMessage(error) }))
    }
  }

  return {
    subscribe: store.subscribe,
    getSnapshot: store.getSnapshot,
    look(query, steps) {
      const path = pathOf(searched, query)
      // In a search of one build, a finished step adds a log to search.
      const signal = store.start(searched.build === undefined ? path : `${path} ${steps.length}`)
      if (signal) void run(path, signal)
    },
    interrupt: () => store.interrupt(),
    stop: () => store.stop(),
  }
}
