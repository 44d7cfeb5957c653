import type { Hunk } from '@flightdeck/api'
import { memo } from 'react'

import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { printAnchor } from './anchor.ts'
import { scrollToTarget } from './scroll-to-target.ts'
import { numbered, type NumberedLine } from './numbered.ts'
import { VisibleText } from '../common/visible-text.tsx'
import { plural } from '../../lib/text.ts'

const ground = { added: 'bg-success-soft', deleted: 'bg-danger-soft', same: '', note: 'text-muted' }
const sign = { added: '+', deleted: '−', same: ' ', note: '' }

/**
 * A column of line numbers. They are not tab stops, because there are too many: links to lines are
 * copied with the mouse.
 */
// The link is 24 px high in a row of 20 px; where two overlap, the pointer's row wins.
function LineNumber({ number, href, className }: { number: number | undefined; href: string; className?: string }) {
  return (
    <td className={cx('w-12 align-top text-right text-muted select-none', className)}>
      {number !== undefined && (
        <Link
          href={href}
          replace
          tabIndex={-1}
          aria-label={`Line ${number}`}
          className="relative -my-0.5 block px-2 py-0.5 group-hover:z-1 hover:text-ink"
        >
          {number}
        </Link>
      )}
    </td>
  )
}

interface LineProps {
  line: NumberedLine
  path: string
  marked: boolean
}

function Line({ line: { kind, before, after, text, more }, path, marked }: LineProps) {
  const number = after ?? (before === undefined ? undefined : -before)
  const id = number === undefined ? undefined : printAnchor({ path, line: number })
  return (
    <tr
      id={id}
      ref={marked ? scrollToTarget : undefined}
      aria-current={marked ? 'location' : undefined}
      className={cx('group', marked ? 'bg-accent-soft' : ground[kind])}
    >
      <LineNumber
        number={before}
        href={`#${after === undefined ? id : printAnchor({ path, line: after })}`}
        className="max-md:hidden"
      />
      <LineNumber number={after} href={`#${id}`} />
      <td
        className={cx(
          'w-4 align-top select-none',
          kind === 'added' && 'text-success',
          kind === 'deleted' && 'text-danger',
        )}
      >
        {sign[kind]}
      </td>
      <td className="pr-3 align-top wrap-anywhere whitespace-pre-wrap">
        <VisibleText text={text} />
        {more !== undefined && <span className="text-muted"> … {plural(more, 'more byte')}</span>}
      </td>
    </tr>
  )
}

const lineOf = ({ after, before }: NumberedLine): number | undefined =>
  after ?? (before === undefined ? undefined : -before)

/**
 * The changed lines of a file. Thousands of them, so only the file with the marked line rerenders.
 */
export const DiffLines = memo(function DiffLines({
  hunks,
  path,
  marked,
}: {
  hunks: readonly Hunk[]
  path: string
  marked: number | undefined
}) {
  return (
    <table className="w-full font-mono text-sm leading-5">
      <caption className="sr-only">Changed lines of {path}</caption>
      {hunks.map((hunk) => (
        <tbody key={`${hunk.old} ${hunk.new}`}>
          <tr className="bg-raised text-muted">
            <td colSpan={4} className="px-3 py-1 wrap-anywhere">
              Line {hunk.new || hunk.old}
              {hunk.heading && (
                <>
                  {' · '}
                  <VisibleText text={hunk.heading} />
                </>
              )}
            </td>
          </tr>
          {numbered(hunk).map((line) => (
            <Line key={line.at} line={line} path={path} marked={marked !== undefined && lineOf(line) === marked} />
          ))}
        </tbody>
      ))}
    </table>
  )
})
