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
import type { ReactNode } from 'react'

import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'

export interface ToolbarProps {
  compact: boolean
  live: boolean
  empty: boolean
  wrap: boolean
  times: boolean
  raw: boolean
  plain: boolean
  follow: boolean
  full: boolean
  /** Whether there are commands whose output can be folded, and whether some is. */
  groups: 'none' | 'open' | 'folded'
  onSearch: () => void
  onWrap: () => void
  onTimes: () => void
  onRaw: () => void
  onPlain: () => void
  onFollow: () => void
  onTop: () => void
  onEnd: () => void
  onFull: () => void
  onFold: () => void
  onDownload: () => void
  onOpenText: () => void
}

const icon = 'size-4'

interface ToolProps {
  label: string
  hint?: string
  on?: boolean
  /** There is nothing yet that it could do. */
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

/** What can be done with a log. In a compact console the less needed half is in the menu. */
export function Toolbar(props: ToolbarProps) {
  const { compact, live, empty, wrap, times, raw, plain, follow, full, groups } = props
  const display: MenuItem[] = [
    ...(groups === 'none'
      ? []
      : [{ label: groups === 'folded' ? 'Unfold all commands' : 'Fold all commands', onSelect: props.onFold }]),
    { label: raw ? 'Show as in a terminal' : 'Show raw output', onSelect: props.onRaw },
    { label: plain ? 'Leave plain text' : 'Show as plain text', onSelect: props.onPlain },
    { label: 'Open as a text file', onSelect: props.onOpenText },
  ]
  const moved: MenuItem[] = [
    { label: wrap ? 'Do not wrap lines' : 'Wrap lines', onSelect: props.onWrap },
    { label: times ? 'Hide times' : 'Show times', onSelect: props.onTimes },
    { label: 'Jump to top', onSelect: props.onTop },
    { label: 'Jump to end', onSelect: props.onEnd },
  ]
  return (
    <div role="toolbar" aria-label="Log tools" className="flex shrink-0 items-center">
      <Tool label="Find in log" hint="Find in log (/)" off={empty} onClick={props.onSearch}>
        <Search className={icon} aria-hidden="true" />
      </Tool>
      {!compact && (
        <>
          <Tool label="Wrap lines" on={wrap} off={empty} onClick={props.onWrap}>
            <WrapText className={icon} aria-hidden="true" />
          </Tool>
          <Tool label="Show times" on={times} off={empty} onClick={props.onTimes}>
            <Clock className={icon} aria-hidden="true" />
          </Tool>
          <Tool label="Jump to top" off={empty} onClick={props.onTop}>
            <ArrowUpToLine className={icon} aria-hidden="true" />
          </Tool>
          <Tool label="Jump to end" off={empty} onClick={props.onEnd}>
            <ArrowDownToLine className={icon} aria-hidden="true" />
          </Tool>
        </>
      )}
      {live && (
        <Tool label="Follow" hint="Follow the end of the log" on={follow} onClick={props.onFollow}>
          <ListEnd className={icon} aria-hidden="true" />
        </Tool>
      )}
      <Tool label="Download log" off={empty} onClick={props.onDownload}>
        <Download className={icon} aria-hidden="true" />
      </Tool>
      {!compact && (
        <Tool label={full ? 'Leave full screen' : 'Full screen'} onClick={props.onFull}>
          {full ? <Minimize2 className={icon} aria-hidden="true" /> : <Maximize2 className={icon} aria-hidden="true" />}
        </Tool>
      )}
      <Menu label="Log options" items={compact ? [...moved, ...display] : display} />
    </div>
  )
}
