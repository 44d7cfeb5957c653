import './console.css'

import { useRef, type ReactNode } from 'react'

import { cx } from '../../../ui/class-names.ts'
import { NewLinesBar } from '../baseline/new-lines-bar.tsx'
import { MultiLogResults } from '../search/multi-log-results.tsx'
import { SearchBar } from '../search/search-bar.tsx'
import { ConsoleFooter } from './console-footer.tsx'
import { ConsoleLines } from './console-lines.tsx'
import { ConsoleHeader, nameOf } from './console-header.tsx'
import { Jumps } from './jumps.tsx'
import { timesOfHits } from './line-times.ts'
import { ConsoleMessage, WithoutLines } from './message.tsx'
import { Reproduce } from './reproduce.tsx'
import { SessionLink } from './session-link.tsx'
import { Toolbar } from './toolbar.tsx'
import { useCompact } from './use-compact.ts'
import { useConsole, type ConsoleOptions } from './use-console.ts'
import { Warnings } from './warnings.tsx'

export interface ConsoleProps extends ConsoleOptions {
  /** Shown next to the message of a console without lines: why there are none yet. */
  trailing?: ReactNode
  /** The step's name is already shown above. */
  named?: boolean
  /** In a modal: closes it. */
  onClose?: (() => void) | undefined
}

const noHits: readonly number[] = []

/**
 * The console of one step. Give it a key per step: its log, search and scroll position belong to
 * the step.
 */
export function Console(props: ConsoleProps) {
  const { address, build, stage, step, trailing, named, onClose } = props
  const region = useRef<HTMLElement>(null)
  const compact = useCompact(region)
  const model = useConsole(region, props)
  const { mode, streaming, log, reading, follow, view, showsLines, folds, newLines, onlyNew } = model
  const { causes, causeLines, search, anchor, onNumber, fileLinks, display, actions, times } = model
  const { focusLines, focusField, leaveSearch } = model
  const { store, stats, inBurst } = log
  const { lines: only } = onlyNew
  const jumps = showsLines && <Jumps reading={reading} lines={stats.lines} causes={causes} onRemoved={focusLines} />
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
      {search.open && (
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
      {search.multiLog && (
        <MultiLogResults
          key={search.multiLog.scope}
          address={address}
          build={build}
          times={timesOfHits(display)}
          onRemoved={focusField}
          {...search.multiLog}
        />
      )}
      <Warnings log={log} streaming={streaming} />
      <SessionLink session={build?.debug && step?.status === 'running' ? stats.session : undefined} />
      <div
        role="log"
        aria-label={`Log of ${nameOf(stage, step)}`}
        aria-live={streaming && follow && !inBurst ? 'polite' : 'off'}
        className="relative flex min-h-0 flex-1 flex-col"
      >
        <ConsoleMessage view={view} />
        {!showsLines && (
          <WithoutLines
            view={view}
            trailing={trailing}
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
            inBurst={inBurst}
            marked={anchor.marked}
            causeLines={causeLines}
            newLines={newLines.state === 'known' ? newLines.lines : undefined}
            only={only}
            hits={log.search?.ticks ?? noHits}
            currentHit={search.current}
            onNumber={onNumber}
            folds={folds}
            fileLinks={fileLinks}
          />
        )}
      </div>
      <ConsoleFooter view={view} cut={showsLines ? stats.cut : undefined}>
        {compact && jumps}
        <NewLinesBar address={address} newLines={newLines} view={onlyNew} compact={compact} onGone={focusLines} />
      </ConsoleFooter>
    </section>
  )
}
