import './console.css'

import type { Build, Stage, Step } from '@flightdeck/api'
import { X } from 'lucide-react'
import { useEffect, useRef, useState, type MouseEvent } from 'react'

import { consoleView, isStreaming, wantsSavedLog } from '../console-state.ts'
import { extendAnchor, printAnchor, readAnchor } from '../anchor.ts'
import { logFileName, type StepAddress } from '../step-address.ts'
import { safeHref } from '../engine/ansi/index.ts'
import { formatNumber } from '../../../lib/text.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { Duration } from '../../../ui/duration.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useAddress, useNavigation } from '../../../browser/navigation.tsx'
import { usePreference } from '../../../browser/preference.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StatusIcon } from '../../../ui/status-icon.tsx'
import { BuildResults } from '../search/build-results.tsx'
import { openAsText, saveAs } from '../source/download.ts'
import { LogLines } from './log-lines.tsx'
import { ConsoleMessage } from './message.tsx'
import { Warnings } from './warnings.tsx'
import { PlainLog } from './plain-log.tsx'
import { SearchBar } from '../search/search-bar.tsx'
import { Ticks } from './ticks.tsx'
import { Toolbar } from './toolbar.tsx'
import { useStableCallbacks } from './use-stable-callbacks.ts'
import { useBuildSearch } from '../search/use-build-search.ts'
import { useCompact } from './use-compact.ts'
import { useFolds } from './use-folds.ts'
import { useRush } from './use-rush.ts'
import { useLog, type Log } from '../source/use-log.ts'
import { useNarrow } from '../../../browser/use-narrow.ts'
import { useSearch } from '../search/use-search.ts'

/** Specification §9: "Console shows the last 250 lines until 'Show all logs' is clicked". */
const lastLines = 250

export interface ConsoleProps {
  address: StepAddress
  build: Build | undefined
  stage: Stage | undefined
  step: Step | undefined
  /** Inside a modal: a way out. */
  onClose?: (() => void) | undefined
}

const modeOf = (stage: Stage | undefined, step: Step | undefined, build: Build | undefined) => {
  if (!build || build.status === 'declined') return 'none'
  if (isStreaming({ stage, step })) return 'live'
  return wantsSavedLog({ stage, step }) ? 'saved' : 'none'
}

/** Scrolls to the lines of `#L120-L140` once they are here. */
const useAnchor = (log: Log, onLine: (line: number) => void) => {
  const { hash } = useAddress()
  const marked = readAnchor(hash)
  const done = useRef('')
  const { store, stats, phase } = log
  const wanted = marked?.from
  useEffect(() => {
    if (wanted === undefined || done.current === hash || stats.lines === 0) return
    void store.locate(wanted - 1).then((line) => {
      // While the log grows the line may still come; at its end the nearest one is shown.
      if (line >= stats.lines - 1 && phase !== 'ready') return
      if (done.current === hash) return
      done.current = hash
      onLine(line)
    })
  })
  return { marked, settle: (text: string) => (done.current = text) }
}

/** The console of one step. Give it a key per step: its log, search and place in the log belong to the step. */
export function Console({ address, build, stage, step, onClose }: ConsoleProps) {
  const mode = modeOf(stage, step, build)
  const log = useLog(address, mode)
  const { store, stats } = log
  const streaming = mode === 'live'
  const narrow = useNarrow()
  const { navigate } = useNavigation()
  const { pathname, search: query } = useAddress()
  const [wrap, setWrap] = usePreference('log.wrap', narrow ? ['on', 'off'] : ['off', 'on'])
  const [times, setTimes] = usePreference('log.times', ['on', 'off'])
  const [raw, setRaw] = useState(false)
  const [plain, setPlain] = useState(false)
  const [full, setFull] = useState(false)
  const [follow, setFollow] = useState(true)
  const [showAll, setShowAll] = useState(false)
  const [frozen, setFrozen] = useState<number>()
  const [goal, setGoal] = useState<{ line: number }>()
  const region = useRef<HTMLElement>(null)
  const compact = useCompact(region)
  const rushing = useRush(streaming || log.phase === 'loading', stats.lines)

  const tail = Math.max(0, stats.lines - lastLines)
  const first = showAll ? 0 : Math.min(frozen ?? tail, tail)
  // A log that is still read may have grown beyond it since.
  if (goal && goal.line < first && !showAll) setShowAll(true)
  const changeFollow = (next: boolean) => {
    setFollow(next)
    if (next) setGoal(undefined)
    // Lines do not go away under the reader's eyes: the shown part grows until the end is followed again.
    setFrozen(next || !streaming ? undefined : first)
  }
  const folds = useFolds(log)
  const goTo = (line: number) => {
    folds.show(line)
    changeFollow(false)
    setGoal({ line })
  }
  const search = useSearch(log, `${address.namespace}/${address.name}/${address.build}`, first, goTo)
  const inBuild = useBuildSearch(address, build, search.buildQuery)
  const anchor = useAnchor(log, goTo)
  useEffect(() => store.setRaw(raw), [store, raw])

  const openSearch = search.setOpen
  useEffect(() => {
    const element = region.current
    const onKeyDown = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (event.key === 'Escape' && !event.defaultPrevented) setFull(false)
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
      // Outside of the console the same key searches repositories.
      event.preventDefault()
      openSearch(true)
    }
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [openSearch])

  const onNumber = (event: MouseEvent, number: number) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    const hash = `#${printAnchor(extendAnchor(anchor.marked, number, event.shiftKey))}`
    // What was pressed is in the window already.
    anchor.settle(hash)
    navigate(`${pathname}${query}${hash}`, { replace: true })
  }
  const download = () => void store.text(0, stats.lines, false).then((blob) => saveAs(blob, logFileName(address)))

  const actions = useStableCallbacks({
    onSearch: () => openSearch(true),
    onWrap: () => setWrap(wrap === 'on' ? 'off' : 'on'),
    onTimes: () => setTimes(times === 'on' ? 'off' : 'on'),
    onRaw: () => setRaw(!raw),
    onPlain: () => setPlain(!plain),
    onFollow: () => changeFollow(!follow),
    onTop: () => goTo(first),
    onEnd: () => changeFollow(true),
    onFull: () => setFull(!full),
    onDownload: download,
    onFold: folds.any ? folds.unfoldAll : folds.foldAll,
    onOpenText: () => void store.text(0, stats.lines, false).then(openAsText),
  })

  const phase = streaming && log.phase === 'idle' ? 'loading' : log.phase
  const view = consoleView({
    build,
    stage,
    step,
    log: {
      phase: streaming ? 'idle' : mode === 'saved' && phase === 'idle' ? 'loading' : phase,
      lines: stats.lines,
      ...(log.error !== undefined && { error: log.error }),
    },
  })
  const showsLines = stats.lines > 0 && view.message === undefined
  const name = step?.name ?? stage?.name ?? 'Console'
  const session = build?.debug && step?.status === 'running' ? stats.session : undefined
  const showAllBar = showsLines && first > 0 && (
    <div className="flex items-center gap-3 text-sm whitespace-nowrap text-muted">
      <span>
        Last {formatNumber(stats.lines - first)} of {formatNumber(stats.lines)} lines
      </span>
      <Button size="sm" onClick={() => setShowAll(true)}>
        Show all logs
      </Button>
    </div>
  )
  return (
    <section
      ref={region}
      data-theme="dark"
      aria-label="Console"
      className={cx(
        'log-console flex min-h-0 min-w-0 flex-1 flex-col bg-console text-console-ink',
        full && 'fixed inset-0 z-40',
        onClose && 'h-full',
      )}
    >
      <header className="flex min-h-11 items-center gap-2 border-b border-line bg-surface pr-1 pl-3">
        {build ? (
          <>
            {step && <StatusIcon status={step.status} />}
            <h2 className="min-w-0 truncate font-medium text-ink">{name}</h2>
          </>
        ) : (
          <Skeleton className="h-5 w-32" />
        )}
        {step?.started ? (
          <Duration started={step.started} finished={step.stopped} className="text-sm whitespace-nowrap text-muted" />
        ) : null}
        <span className="flex-1" />
        {!compact && showAllBar}
        <Toolbar
          compact={compact}
          live={streaming}
          empty={!showsLines}
          wrap={wrap === 'on'}
          times={times === 'on'}
          raw={raw}
          plain={plain}
          follow={follow}
          full={full}
          groups={stats.groups > 0 ? (folds.any ? 'folded' : 'open') : 'none'}
          actions={actions}
        />
        {onClose && (
          <IconButton label="Close" side="left" onClick={onClose}>
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        )}
      </header>
      {search.open && (
        <SearchBar
          query={search.query}
          onQuery={search.setQuery}
          search={log.search}
          current={search.current?.index}
          everywhere={search.everywhere}
          onEverywhere={search.setEverywhere}
          onMove={search.move}
          onClose={() => {
            openSearch(false)
            region.current?.querySelector<HTMLElement>('[role=log] [tabindex]')?.focus()
          }}
        />
      )}
      {search.open && search.buildQuery && <BuildResults view={inBuild} current={address} />}
      <Warnings log={log} streaming={streaming} />
      {session && safeHref(session) && (
        <p className="border-b border-line px-3 py-1.5 text-sm">
          <a href={session} target="_blank" rel="noopener noreferrer" className="text-accent underline">
            Remote debug session
          </a>
        </p>
      )}
      <div
        role="log"
        aria-label={`Log of ${name}`}
        aria-live={streaming && follow && !rushing ? 'polite' : 'off'}
        className="relative flex min-h-0 flex-1 flex-col"
      >
        {!showsLines && (
          <ConsoleMessage
            view={view}
            detail={view.state === 'error' ? stage?.error : undefined}
            onRetry={log.phase === 'failed' && mode === 'saved' ? () => store.retry() : undefined}
          />
        )}
        {showsLines && plain && <PlainLog store={store} first={first} count={stats.lines} version={stats.version} />}
        {showsLines && !plain && (
          <LogLines
            store={store}
            stats={stats}
            first={first}
            wrap={wrap === 'on'}
            times={times === 'on'}
            follow={follow}
            onFollow={changeFollow}
            rushing={rushing}
            marked={anchor.marked}
            currentHit={search.current}
            goal={goal}
            onNumber={onNumber}
            folds={folds}
          />
        )}
        {showsLines && !plain && showAll && log.search && <Ticks ticks={log.search.ticks} />}
      </div>
      <footer className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-3 py-1 text-sm touch:min-h-13">
        <span
          className={cx(
            'min-w-0 break-words',
            view.tone === 'success' && 'text-success',
            view.tone === 'danger' && 'text-danger',
            view.tone === 'warning' && 'text-muted',
          )}
        >
          {view.footer}
        </span>
        {compact && showAllBar}
      </footer>
    </section>
  )
}
