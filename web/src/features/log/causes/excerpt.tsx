import { cx } from '../../../ui/class-names.ts'
import { Link } from '../../../ui/link.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Cause, CauseLine } from '../engine/causes.ts'

/** Shown if there is no error line. */
export interface WithoutCause {
  /** The error of the step or its stage, if the text is that error. */
  error: string | undefined
  text: string
}

interface ExcerptProps {
  cause: Cause | undefined
  /** The numbers of all error lines: some may be next to the first. */
  causeLines: ReadonlySet<number>
  loading: boolean
  without: WithoutCause
  /** The path of the step. */
  href: string
}

export const Line = ({ line, isCause, href }: { line: CauseLine; isCause: boolean; href: string }) => (
  <Link
    href={`${href}#L${line.number}`}
    className={cx(
      'flex h-4.5 min-w-0 border-l-3 font-mono text-sm leading-4.5 touch:h-6 touch:leading-6',
      isCause ? 'border-danger bg-danger-soft' : 'border-transparent hover:bg-raised',
    )}
  >
    <span className={cx('w-14 shrink-0 pr-3 text-right', isCause ? 'text-ink' : 'text-muted')}>{line.number}</span>
    <span className={cx('min-w-0 truncate whitespace-pre', !isCause && 'text-muted')}>{line.text}</span>
  </Link>
)

/**
 * An error line with two lines before and after it. Reserves five lines of space, so that nothing
 * moves.
 */
export function Excerpt({ cause, causeLines, loading, without, href }: ExcerptProps) {
  return (
    <div className="h-22.5 overflow-hidden touch:h-30">
      {loading && <Skeleton className="mt-9 ml-14 h-4 w-2/5" />}
      {!loading && !cause && without.error === undefined && (
        <p className="pt-9 pl-14 text-sm text-muted">{without.text}</p>
      )}
      {!loading && !cause && without.error !== undefined && (
        <p className="max-h-full overflow-y-auto border-l-3 border-danger bg-danger-soft px-3 py-0.5 font-mono text-sm break-words whitespace-pre-wrap">
          {without.text}
        </p>
      )}
      {cause &&
        [...cause.before, cause, ...cause.after].map((line) => (
          <Line key={line.number} line={line} isCause={causeLines.has(line.number)} href={href} />
        ))}
    </div>
  )
}
