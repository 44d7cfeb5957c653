import { CaseSensitive, ChevronDown, ChevronUp, Regex, Square, WholeWord, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'

import type { SearchState } from '../engine/protocol.ts'
import type { Query } from '../engine/query.ts'
import { formatNumber } from '../../../lib/text.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { Scope } from './multi-log-search.ts'

export interface SearchBarProps {
  query: Query
  onQuery: (query: Query) => void
  search: SearchState | undefined
  /** The index of the current hit, from 0. */
  current: number | undefined
  scope: Scope
  onScope: (scope: Scope) => void
  /** Stops the search before all lines are searched. */
  onStop: () => void
  onMove: (by: 1 | -1) => void
  onClose: () => void
}

const countText = (query: Query, search: SearchState | undefined, current: number | undefined): string => {
  if (query.text === '') return ''
  if (!search || (!search.done && search.count === 0)) return 'Searching…'
  const total = `${formatNumber(search.count)}${search.done && !search.halted ? '' : '+'}`
  if (search.count === 0) return search.halted ? 'Stopped' : 'No results'
  return current === undefined
    ? `${total} ${search.count === 1 ? 'result' : 'results'}`
    : `${formatNumber(current + 1)} of ${total}`
}

const scopes: readonly { value: Scope; label: string }[] = [
  { value: 'log', label: 'This log' },
  { value: 'build', label: 'This build' },
  { value: 'builds', label: 'Last 50 builds' },
]

/** A stable function, so that it is called once, when the field appears. */
const focusFirst = (field: HTMLInputElement | null): void => field?.focus()

/** Searches the whole log of the step, including lines that are not shown. */
export function SearchBar(props: SearchBarProps) {
  const { query, onQuery, search, current, scope, onScope, onStop, onMove, onClose } = props
  const onKeyDown = (event: KeyboardEvent) => {
    // Ignores repeats of the key that opened the field; a key pressed here would have left text in
    // it.
    if (event.repeat && query.text === '' && event.key.length === 1) event.preventDefault()
    if (event.key !== 'Enter') return
    event.preventDefault()
    onMove(event.shiftKey ? -1 : 1)
  }
  const toggles = [
    { key: 'matchCase', label: 'Match case', Icon: CaseSensitive },
    { key: 'word', label: 'Whole word', Icon: WholeWord },
    { key: 'pattern', label: 'Regular expression', Icon: Regex },
  ] as const
  return (
    <search
      data-search
      className="flex flex-wrap items-center gap-1 border-b border-line bg-surface px-3 py-1.5"
      aria-label="Find in log"
    >
      <input
        ref={focusFirst}
        type="search"
        aria-label="Find in log"
        placeholder="Find in log"
        value={query.text}
        className="h-8 min-w-0 flex-1 basis-40 rounded-md border border-line bg-canvas px-2 text-ink touch:h-11"
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onQuery({ ...query, text: event.target.value })}
        onKeyDown={onKeyDown}
      />
      {toggles.map(({ key, label, Icon }) => (
        <IconButton
          key={key}
          label={label}
          aria-pressed={query[key]}
          onClick={() => onQuery({ ...query, [key]: !query[key] })}
        >
          <Icon className="size-4" aria-hidden="true" />
        </IconButton>
      ))}
      <select
        aria-label="Find in"
        value={scope}
        className="h-8 rounded-md border border-line bg-canvas px-1.5 text-sm text-ink touch:h-11"
        onChange={(event) => onScope(scopes.find(({ value }) => value === event.target.value)?.value ?? 'log')}
      >
        {scopes.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <output className="min-w-24 px-1 text-sm text-muted tabular-nums" aria-live="polite">
        {countText(query, search, current)}
      </output>
      {query.pattern && (
        <IconButton label="Stop searching" disabled={search === undefined || search.done} onClick={onStop}>
          <Square className="size-3.5" aria-hidden="true" />
        </IconButton>
      )}
      <IconButton label="Previous result" hint="Previous result (Shift+Enter)" onClick={() => onMove(-1)}>
        <ChevronUp className="size-4" aria-hidden="true" />
      </IconButton>
      <IconButton label="Next result" hint="Next result (Enter)" onClick={() => onMove(1)}>
        <ChevronDown className="size-4" aria-hidden="true" />
      </IconButton>
      <IconButton label="Close find" hint="Close (Esc)" side="left" onClick={onClose}>
        <X className="size-4" aria-hidden="true" />
      </IconButton>
      {search?.error && (
        <p role="alert" className="w-full py-1 text-sm text-danger">
          {search.error}
        </p>
      )}
    </search>
  )
}
