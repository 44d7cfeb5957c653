import type { CommitFile } from '@flightdeck/api'

import { Chip } from '../../ui/chip.tsx'
import { Link } from '../../ui/link.tsx'
import { printAnchor, type Anchor } from './anchor.ts'
import { scrollToTarget } from './scroll-to-target.ts'
import { Counts } from './counts.tsx'
import { DiffLines } from './diff-lines.tsx'
import { changeWord, notesOf } from './file-words.ts'
import { VisibleText } from '../common/visible-text.tsx'

/** The note for a line in the URL that is not among those shown. */
const missingLine = ({ hunks = [] }: CommitFile, line: number): boolean =>
  !hunks.some(({ old, new: now, lines }) => {
    const from = line < 0 ? old : now
    const counted = lines.filter((one) => one[0] !== '\\' && one[0] !== (line < 0 ? '+' : '-')).length
    return Math.abs(line) >= from && Math.abs(line) < from + counted
  })

/** One file: its name, the kind of change, its lines. */
export function FileSection({ file, target }: { file: CommitFile; target: Anchor | undefined }) {
  const { path, before, change, added, deleted, hunks } = file
  const anchor = printAnchor({ path })
  const line = target?.line
  const isLost = line !== undefined && missingLine(file, line)
  const notes = [
    ...notesOf(file),
    ...(isLost ? [`Line ${Math.abs(line)} is not in the part of the diff shown here.`] : []),
  ]
  return (
    <section
      id={anchor}
      ref={target && (line === undefined || isLost) ? scrollToTarget : undefined}
      aria-label={path}
      className="scroll-mt-32 rounded-lg border border-line bg-surface"
    >
      <h3 className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
        <Link
          data-file
          href={`#${anchor}`}
          replace
          className="min-w-0 flex-1 basis-40 rounded-sm font-mono text-sm font-medium wrap-anywhere hover:underline"
        >
          {before !== undefined && (
            <>
              <VisibleText text={before} />
              {' → '}
            </>
          )}
          <VisibleText text={path} />
        </Link>
        {change !== 'modified' && <Chip>{changeWord[change]}</Chip>}
        <Counts added={added} deleted={deleted} />
      </h3>
      {notes.length > 0 && (
        <div className="flex flex-col gap-1 px-4 py-2 text-sm text-muted">
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      )}
      {hunks && <DiffLines hunks={hunks} path={path} marked={line} />}
    </section>
  )
}
