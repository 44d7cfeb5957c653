import './console.css'

import type { Build, Stage, Step } from '@flightdeck/api'
import { useCallback, useMemo, useRef, useState, type MouseEvent, type ReactNode } from 'react'

import { useAddress, useNavigation } from '../../../browser/navigation.tsx'
import { cx } from '../../../ui/class-names.ts'
import { extendAnchor, printAnchor, readAnchor } from '../anchor.ts'
import { consoleView, isStreaming, wantsSavedLog, type ConsoleView } from '../console-state.ts'
import { useCauses } from '../causes/use-causes.ts'
import { FreshBar } from '../fresh/fresh-bar.tsx'
import { useFresh } from '../fresh/use-fresh.ts'
import { useOnlyNew } from '../fresh/use-only-new.ts'
import { FarResults } from '../search/far-results.tsx'
import { usePageFind } from './use-page-find.ts'
import { usePlaceLinks } from '../places/use-place-links.ts'
import { SearchBar } from '../search/search-bar.tsx'
import { useSearch } from '../search/use-search.ts'
import { useLog, type Log } from '../source/use-log.ts'
import type { LogMode } from '../source/log-store.ts'
import type { StepAddress } from '../step-address.ts'
import { ConsoleFooter } from './console-footer.tsx'
import { ConsoleLines } from './console-lines.tsx'
import { ConsoleHeader, nameOf } from './console-header.tsx'
import { Jumps } from './jumps.tsx'
import { timesOfHits } from './line-times.ts'
import { Said, WithoutLines } from './message.tsx'
import { readingOf, useReading } from './reading-store.ts'
import { firstShown, type Reading } from './reading.ts'
import { Reproduce } from './reproduce.tsx'
import { SessionLink } from './session-link.tsx'
import { useLineTimes } from './use-line-times.ts'
import { Toolbar } from './toolbar.tsx'
import { useAnchor } from './use-anchor.ts'
import { useCompact } from './use-compact.ts'
import { useFolds } from './use-folds.ts'
import { useListeners } from '../../../browser/use-listeners.ts'
import { useTools } from './use-tools.ts'
import { Warnings } from './warnings.tsx'

export interface ConsoleProps {
  address: StepAddress
  build: Build | undefined
  stage: Stage | undefined
  step: Step | undefined
  /** Beside the words of a console without lines: why there are none yet. */
  aside?: ReactNode
  /** Reached by a click or a key because it failed: all lines are shown, as after "Show all logs". */
  whole?: boolean
  /** Whose log it is stands above it already. */
  named?: boolean
  /** The reader has left the end of the log, or is there again. */
  onEnd?: (atEnd: boolean) => void
  /** Inside a modal: a way out. */
  onClose?: (() => void) | undefined
}

const modeOf = ({ build, stage, step }: ConsoleProps): LogMode => {
  if (!build) return 'none'
  if (isStreaming({ stage, step })) return 'live'
  return wantsSavedLog({ stage, step }) ? 'saved' : 'none'
}

const viewOf = ({ build, stage, step }: ConsoleProps, mode: LogMode, { phase, stats, error }: Log): ConsoleView => {
  const said = mode === 'live' ? 'idle' : mode === 'saved' && phase === 'idle' ? 'loading' : phase
  const log = { phase: said, lines: stats.lines, ...(error !== undefined && { error }) } as const
  return consoleView({ build, stage, step, log })
}

const noHits: readonly number[] = []
const isFollowing = ({ follow }: Reading): boolean => follow

/** The line that is read stays where it is. What is not there yet, as the lines of a log that is still read, has no focus: then the console. */
const focusIn = (region: HTMLElement | null, selector: string): void =>
  (region?.querySelector<HTMLElement>(selector) ?? region)?.focus({ preventScroll: true })

/** What a key in the console means for all of it; then the event has done its work. */
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

/** A press on a line's number marks the line, with Shift all from the marked one on, and puts that into the address. */
const useNumbers = (settle: (hash: string) => void) => {
  const { navigate } = useNavigation()
  const { pathname, search, hash } = useAddress()
  return useCallback(
    (event: MouseEvent, number: number) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.button !== 0) return
      event.preventDefault()
      const next = `#${printAnchor(extendAnchor(readAnchor(hash), number, event.shiftKey))}`
      // What was pressed is in the window already.
      settle(next)
      navigate(`${pathname}${search}${next}`, { replace: true })
    },
    [settle, navigate, pathname, search, hash],
  )
}

/** The console of one step. Give it a key per step: its log, search and place in the log belong to the step. */
export function Console(props: ConsoleProps) {
  const { address, build, stage, step, aside, whole = false, named, onEnd, onClose } = props
  const mode = modeOf(props)
  const streaming = mode === 'live'
  const log = useLog(address, mode)
  const { store, stats, rushing } = log
  const [reading] = useState(() => readingOf(store, onEnd))
  const first = useReading(reading, (now) => firstShown({ ...now, lines: stats.lines }))
  const follow = useReading(reading, isFollowing)
  const region = useRef<HTMLElement>(null)
  const compact = useCompact(region)

  const folds = useFolds(log)
  const { show } = folds
  const fresh = useFresh({ address, build, stage, step, log })
  const onlyNew = useOnlyNew(fresh, reading)
  const { lines: only, show: showAmongAll } = onlyNew
  const goTo = useCallback(
    (line: number) => {
      show(line)
      showAmongAll(line)
      reading.tell({ type: 'sent to', line })
    },
    [show, showAmongAll, reading],
  )
  const causes = useCauses({ address, build, step, log, reading, whole, streaming, goTo })
  const telling = useMemo(() => new Set(causes.list.map(({ index }) => index)), [causes.list])
  const search = useSearch(log, address, first, { onHit: goTo, onOpen: reading.searching })
  const { open: isSearchOpen, setOpen: setSearchOpen } = search
  const anchor = useAnchor(log, goTo)
  const onNumber = useNumbers(anchor.settle)
  const places = usePlaceLinks({ address, build, store, causes, marked: anchor.marked })
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

  const view = viewOf(props, mode, log)
  const showsLines = stats.lines > 0
  usePageFind(showsLines, startSearch)
  const name = nameOf(stage, step)
  const jumps = showsLines && <Jumps reading={reading} lines={stats.lines} causes={causes} onGone={focusLines} />
  return (
    <section
      ref={region}
      data-theme="dark"
      aria-label="Console"
      tabIndex={-1}
      className={cx(
        'log-console flex min-h-0 min-w-0 flex-1 flex-col bg-console text-console-ink',
        display.full && 'fixed inset-0 z-40',
        onClose && 'h-full',
      )}
    >
      <ConsoleHeader address={address} build={build} stage={stage} step={step} named={named} onClose={onClose}>
        {!compact && jumps}
        {step && <Reproduce address={address} step={step} />}
        <Toolbar
          compact={compact}
          live={streaming}
          empty={!showsLines}
          {...display}
          follow={follow}
          groups={stats.groups > 0 && !only ? (folds.any ? 'folded' : 'open') : 'none'}
          actions={actions}
        />
      </ConsoleHeader>
      {isSearchOpen && (
        <SearchBar
          query={search.query}
          onQuery={search.setQuery}
          search={log.search}
          current={search.current?.index}
          scope={search.scope}
          onScope={search.setScope}
          onStop={() => store.haltSearch()}
          onMove={search.move}
          onClose={leaveSearch}
        />
      )}
      {search.far && (
        <FarResults
          key={search.far.scope}
          address={address}
          build={build}
          times={timesOfHits(display)}
          onGone={focusField}
          {...search.far}
        />
      )}
      <Warnings log={log} streaming={streaming} />
      <SessionLink session={build?.debug && step?.status === 'running' ? stats.session : undefined} />
      <div
        role="log"
        aria-label={`Log of ${name}`}
        aria-live={streaming && follow && !rushing ? 'polite' : 'off'}
        className="relative flex min-h-0 flex-1 flex-col"
      >
        <Said view={view} />
        {!showsLines && (
          <WithoutLines
            view={view}
            aside={aside}
            onRetry={log.phase === 'failed' && mode === 'saved' ? () => store.retry() : undefined}
          />
        )}
        {showsLines && (
          <ConsoleLines
            store={store}
            stats={stats}
            reading={reading}
            wrap={display.wrap}
            plain={display.plain}
            times={times}
            rushing={rushing}
            marked={anchor.marked}
            telling={telling}
            fresh={fresh.state === 'known' ? fresh.lines : undefined}
            only={only}
            hits={log.search?.ticks ?? noHits}
            currentHit={search.current}
            onNumber={onNumber}
            folds={folds}
            places={places}
          />
        )}
      </div>
      <ConsoleFooter view={view} cut={showsLines ? stats.cut : undefined}>
        {compact && jumps}
        <FreshBar address={address} fresh={fresh} view={onlyNew} compact={compact} onGone={focusLines} />
      </ConsoleFooter>
    </section>
  )
}
