import type { Build, Stage, Step } from '@flightdeck/api'
import { useCallback, useMemo, useState, type MouseEvent, type RefObject } from 'react'

import { useAddress, useNavigation } from '../../../browser/navigation.tsx'
import { useListeners } from '../../../browser/use-listeners.ts'
import { useNewLines } from '../baseline/use-new-lines.ts'
import { useOnlyNew } from '../baseline/use-only-new.ts'
import { useCauses } from '../causes/use-causes.ts'
import { useFileLinks } from '../file-links/use-file-links.ts'
import { readingOf, useReading } from '../reading/reading-store.ts'
import { firstShown, type Reading } from '../reading/reading.ts'
import { useSearch } from '../search/use-search.ts'
import type { LogMode } from '../source/log-snapshot.ts'
import { useLog, type Log } from '../source/use-log.ts'
import { extendAnchor, printAnchor, readAnchor } from '../step/anchor.ts'
import { consoleView, isStreaming, wantsSavedLog, type ConsoleView } from '../step/console-state.ts'
import type { StepAddress } from '../step/step-address.ts'
import { useAnchor } from './use-anchor.ts'
import { useFolds } from './use-folds.ts'
import { useLineTimes } from './use-line-times.ts'
import { usePageFind } from './use-page-find.ts'
import { useTools } from './use-tools.ts'

export interface ConsoleOptions {
  address: StepAddress
  build: Build | undefined
  stage: Stage | undefined
  step: Step | undefined
  /**
   * Opened by a click or key because the step failed: all lines are shown, as after "Show all
   * logs".
   */
  whole?: boolean
  /** The user has scrolled away from the end of the log, or has returned to it. */
  onEnd?: (atEnd: boolean) => void
}

const modeOf = ({ build, stage, step }: ConsoleOptions): LogMode => {
  if (!build) return 'none'
  if (isStreaming({ stage, step })) return 'live'
  return wantsSavedLog({ stage, step }) ? 'saved' : 'none'
}

const viewOf = ({ build, stage, step }: ConsoleOptions, mode: LogMode, { phase, stats, error }: Log): ConsoleView => {
  const shownPhase = mode === 'live' ? 'idle' : mode === 'saved' && phase === 'idle' ? 'loading' : phase
  const log = { phase: shownPhase, lines: stats.lines, ...(error !== undefined && { error }) } as const
  return consoleView({ build, stage, step, log })
}

const isFollowing = ({ follow }: Reading): boolean => follow

/**
 * Focuses the line, which stays in place. If it is not rendered yet, for example while the log is
 * loading, focuses the console.
 */
const focusIn = (region: HTMLElement | null, selector: string): void =>
  (region?.querySelector<HTMLElement>(selector) ?? region)?.focus({ preventScroll: true })

/** The action of a key for the whole console, if it has one. */
function wishOf(event: KeyboardEvent): 'search' | 'leave search' | 'leave full' | undefined {
  const on = event.target instanceof HTMLElement ? event.target : undefined
  if (event.key === 'Escape' && !event.defaultPrevented) {
    if (!on?.closest('[data-search]')) return 'leave full'
    event.preventDefault()
    event.stopPropagation()
    return 'leave search'
  }
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return undefined
  if (on?.matches('input, textarea, select')) return undefined
  // Outside of the console the same key searches repositories.
  event.preventDefault()
  return 'search'
}

/**
 * A click on a line number marks the line, with Shift the range from the marked one, and updates
 * the URL.
 */
const useNumbers = (ignoreHash: (hash: string) => void) => {
  const { navigate } = useNavigation()
  const { pathname, search, hash } = useAddress()
  return useCallback(
    (event: MouseEvent, number: number) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.button !== 0) return
      event.preventDefault()
      const next = `#${printAnchor(extendAnchor(readAnchor(hash), number, event.shiftKey))}`
      // The clicked line is already visible.
      ignoreHash(next)
      navigate(`${pathname}${search}${next}`, { replace: true })
    },
    [ignoreHash, navigate, pathname, search, hash],
  )
}

/**
 * The model of a console: the log of the step, the reading position, the search, folds, marks and
 * keys. `region` is the element of the console, for keys and focus.
 */
export function useConsole(region: RefObject<HTMLElement | null>, options: ConsoleOptions) {
  const { address, build, stage, step, whole = false, onEnd } = options
  const mode = modeOf(options)
  const streaming = mode === 'live'
  const log = useLog(address, mode)
  const { store, stats } = log
  const [reading] = useState(() => readingOf(store, onEnd))
  const first = useReading(reading, (now) => firstShown({ ...now, lines: stats.lines }))
  const follow = useReading(reading, isFollowing)

  const folds = useFolds(log)
  const { show } = folds
  const newLines = useNewLines({ address, build, stage, step, log })
  const onlyNew = useOnlyNew(newLines, reading)
  const { show: showAmongAll } = onlyNew
  const goTo = useCallback(
    (line: number) => {
      show(line)
      showAmongAll(line)
      reading.dispatch({ type: 'sent to', line })
    },
    [show, showAmongAll, reading],
  )
  const causes = useCauses({ address, build, step, log, reading, whole, streaming, goTo })
  const causeLines = useMemo(() => new Set(causes.list.map(({ index }) => index)), [causes.list])
  const search = useSearch(log, address, first, { onHit: goTo, onOpen: reading.searching })
  const { setOpen: setSearchOpen } = search
  const anchor = useAnchor(log, goTo)
  const onNumber = useNumbers(anchor.ignoreHash)
  const fileLinks = useFileLinks({ address, build, store, causes, marked: anchor.marked })
  const { leaveFull, actions, ...display } = useTools({ address, store, reading, folds, goTo, setSearchOpen })
  const times = useLineTimes(display, stats, step)
  const focusLines = () => focusIn(region.current, '[role=log] [tabindex]')
  const focusField = () => focusIn(region.current, 'search input')
  const startSearch = () => {
    setSearchOpen(true)
    focusField()
  }
  const leaveSearch = () => {
    setSearchOpen(false)
    focusLines()
  }
  useListeners(region, {
    keydown: (event) => {
      const wish = wishOf(event)
      if (wish === 'leave full') leaveFull()
      else if (wish === 'leave search') leaveSearch()
      else if (wish === 'search') startSearch()
    },
  })

  const view = viewOf(options, mode, log)
  const showsLines = stats.lines > 0
  usePageFind(showsLines, startSearch)
  return {
    mode,
    streaming,
    log,
    reading,
    follow,
    view,
    showsLines,
    folds,
    newLines,
    onlyNew,
    causes,
    causeLines,
    search,
    anchor,
    onNumber,
    fileLinks,
    display,
    actions,
    times,
    focusLines,
    focusField,
    leaveSearch,
  }
}
