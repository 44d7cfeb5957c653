import { formatNumber } from '../../lib/text.ts'

/** The numbers of added and deleted lines; nothing if git did not count them. */
export function Counts({ added, deleted }: { added: number | undefined; deleted: number | undefined }) {
  if (added === undefined || deleted === undefined) return null
  return (
    <span className="flex shrink-0 gap-2 font-mono text-sm tabular-nums">
      <span className="text-success">
        <span aria-hidden="true">+{formatNumber(added)}</span>
        <span className="sr-only">
          {formatNumber(added)} {added === 1 ? 'line' : 'lines'} added,{' '}
        </span>
      </span>
      <span className="text-danger">
        <span aria-hidden="true">−{formatNumber(deleted)}</span>
        <span className="sr-only">{formatNumber(deleted)} deleted</span>
      </span>
    </span>
  )
}
