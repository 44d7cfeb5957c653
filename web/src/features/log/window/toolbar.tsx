import {
  ArrowDownToLine,
  ArrowUpToLine,
  Clock,
  Download,
  ListEnd,
  Maximize2,
  Minimize2,
  Search,
  WrapText,
} from 'lucide-react'
import { memo, type ReactNode } from 'react'

import { IconButton } from '../../../ui/icon-button.tsx'
import { clockNames, clocks, type LogClock } from './line-times.ts'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'

type ToolbarAction =
  | 'onSearch'
  | 'onWrap'
  | 'onTimes'
  | 'onRaw'
  | 'onPlain'
  | 'onFollow'
  | 'onTop'
  | 'onEnd'
  | 'onFull'
  | 'onFold'
  | 'onDownload'
  | 'onOpenText'

export interface ToolbarProps {
  compact: boolean
  live: boolean
  /** The log has no line. */
  empty: boolean
  wrap: boolean
  times: boolean
  clock: LogClock
  raw: boolean
  plain: boolean
  follow: boolean
  full: boolean
  /** Whether there are commands with output to fold, and whether any is folded. */
  groups: 'none' | 'open' | 'folded'
  /** A stable object, so that the tools do not rerender with each line. */
  actions: Record<ToolbarAction, () => void> & { onClock: (clock: LogClock) => void }
}

const icon = 'size-4'

interface ToolProps {
  label: string
  hint?: string
  on?: boolean
  /** There is nothing to do yet. */
  off?: boolean
  onClick: () => void
  children: ReactNode
}

function Tool({ label, hint, on, off = false, onClick, children }: ToolProps) {
  return (
    <IconButton label={label} {...(hint && { hint })} aria-pressed={on} disabled={off} side="left" onClick={onClick}>
      {children}
    </IconButton>
  )
}

/** The tools of a log. In a compact console the less frequent half is in the menu. */
export const Toolbar = memo(function Toolbar(props: ToolbarProps) {
  const { actions, compact, live, empty, wrap, times, clock, raw, plain, follow, full, groups } = props
  const display: MenuItem[] = [
    ...(groups === 'none'
      ? []
      : [{ label: groups === 'folded' ? 'Unfold all commands' : 'Fold all commands', onSelect: actions.onFold }]),
    ...clocks
      .filter((other) => !times || other !== clock)
      .map((other) => ({ label: clockNames[other], onSelect: () => actions.onClock(other) })),
    { label: raw ? 'Show rendered output' : 'Show raw output', onSelect: actions.onRaw },
    { label: plain ? 'Exit plain text' : 'Show as plain text', onSelect: actions.onPlain },
    { label: 'Open as a text file', onSelect: actions.onOpenText },
  ]
  const moved: MenuItem[] = [
    { label: wrap ? 'Do not wrap lines' : 'Wrap lines', onSelect: actions.onWrap },
    { label: times ? 'Hide times' : 'Show times', onSelect: actions.onTimes },
    { label: 'Jump to top', onSelect: actions.onTop },
    { label: 'Jump to end', onSelect: actions.onEnd },
  ]
  return (
    <div role="toolbar" aria-label="Log tools" className="flex shrink-0 items-center">
      <Tool label="Find in log" hint="Find in log (/)" off={empty} onClick={actions.onSearch}>
        <Search className={icon} aria-hidden="true" />
      </Tool>
      {!compact && (
        <>
          <Tool label="Wrap lines" on={wrap} off={empty} onClick={actions.onWrap}>
            <WrapText className={icon} aria-hidden="true" />
          </Tool>
          <Tool
            label="Show times"
            hint={times ? `${clockNames[clock]} (T to change)` : 'Show times (T)'}
            on={times}
            off={empty}
            onClick={actions.onTimes}
          >
            <Clock className={icon} aria-hidden="true" />
          </Tool>
          <Tool label="Jump to top" off={empty} onClick={actions.onTop}>
            <ArrowUpToLine className={icon} aria-hidden="true" />
          </Tool>
          <Tool label="Jump to end" off={empty} onClick={actions.onEnd}>
            <ArrowDownToLine className={icon} aria-hidden="true" />
          </Tool>
        </>
      )}
      {live && (
        <Tool label="Follow" hint="Follow the end of the log" on={follow} onClick={actions.onFollow}>
          <ListEnd className={icon} aria-hidden="true" />
        </Tool>
      )}
      <Tool label="Download log" off={empty} onClick={actions.onDownload}>
        <Download className={icon} aria-hidden="true" />
      </Tool>
      {!compact && (
        <Tool label={full ? 'Exit full screen' : 'Full screen'} onClick={actions.onFull}>
          {full ? <Minimize2 className={icon} aria-hidden="true" /> : <Maximize2 className={icon} aria-hidden="true" />}
        </Tool>
      )}
      <Menu label="Log options" items={compact ? [...moved, ...display] : display} />
    </div>
  )
})
