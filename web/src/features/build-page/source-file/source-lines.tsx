import type { SourceAuthors, SourceFile } from '@flightdeck/api'

import type { StepAddress } from '../../log/index.ts'
import { paths } from '../../../lib/paths.ts'
import { cx } from '../../../ui/class-names.ts'
import { Link } from '../../../ui/link.tsx'
import { Scroller } from '../../../ui/scroller.tsx'
import { NumberedLine } from '../numbered-line.tsx'
import { commitOf } from './line-author.tsx'

export interface SourceLinesProps {
  file: Extract<SourceFile, { kind: 'text' }>
  /** The number of the requested line. */
  line: number
  authors: SourceAuthors | undefined
  at: StepAddress
}

const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'center' })

/**
 * Shown next to the first of consecutive lines from the same commit: its author. Lines changed
 * since the step last passed have a colored edge.
 */
function Author({ authors, number, at }: { authors: SourceAuthors | undefined; number: number; at: StepAddress }) {
  const commit = authors && commitOf(authors, number)
  const isFirst = authors && commit !== commitOf(authors, number - 1)
  const isNew = commit?.after === true
  return (
    <span
      className={cx(
        '-mr-2 flex w-8 shrink-0 border-l-3 pl-2 font-sans md:w-36',
        isNew ? 'border-warning' : 'border-transparent',
      )}
    >
      {commit && isFirst && (
        <Link
          href={paths.commit(at.namespace, at.name, commit.sha)}
          title={`${commit.title} – ${commit.author}${isNew ? ', since the step last passed' : ''}`}
          aria-label={`${commit.author}: ${commit.title}${isNew ? ', since the step last passed' : ''}`}
          className={cx('min-w-0 truncate rounded-sm hover:underline', isNew ? 'text-ink' : 'text-muted')}
        >
          <bdi className="md:hidden">{[...commit.author].slice(0, 2)}</bdi>
          <bdi className="max-md:hidden">{commit.author}</bdi>
        </Link>
      )}
    </span>
  )
}

/** Untrusted: anyone with push access can write the lines, so they are rendered as plain text. */
export function SourceLines({ file, line, authors, at }: SourceLinesProps) {
  return (
    <Scroller
      role="region"
      aria-label={`Contents of ${file.path}`}
      className="min-h-60 rounded-md border border-line bg-raised py-2 font-mono text-sm leading-5"
    >
      {file.lines.map((text, index) => {
        const number = file.from + index
        return (
          <NumberedLine
            key={number}
            number={number}
            text={text}
            marked={number === line}
            trailing={<Author authors={authors} number={number} at={at} />}
            ref={number === line ? intoView : undefined}
          />
        )
      })}
    </Scroller>
  )
}
