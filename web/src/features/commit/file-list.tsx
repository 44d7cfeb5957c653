import type { Commit, CommitFile } from '@flightdeck/api'
import { FileDiff, FileMinus, FilePen, FilePlus } from 'lucide-react'

import { formatNumber } from '../../lib/text.ts'
import { Link } from '../../ui/link.tsx'
import { maxShown } from './max-shown.ts'
import { printAnchor } from './anchor.ts'
import { Counts } from './counts.tsx'
import { changeWord, sumOf } from './file-words.ts'
import { VisibleText } from '../common/visible-text.tsx'

const icons = { added: FilePlus, deleted: FileMinus, renamed: FilePen, modified: FileDiff, type: FileDiff }
const colours = {
  added: 'text-success',
  deleted: 'text-danger',
  renamed: 'text-accent',
  modified: 'text-muted',
  type: 'text-warning',
}

const rowLook = 'flex min-h-9 items-center gap-3 px-4 py-1.5 -outline-offset-2 touch:min-h-11'

function RowContent({ file: { path, before, change, added, deleted, binary } }: { file: CommitFile }) {
  const Icon = icons[change]
  return (
    <>
      <Icon className={`size-4 shrink-0 ${colours[change]}`} aria-hidden="true" />
      <span className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">
        <span className="sr-only">{changeWord[change]}: </span>
        {before !== undefined && (
          <span className="text-muted">
            <VisibleText text={before} />
            {' → '}
          </span>
        )}
        <VisibleText text={path} />
      </span>
      {binary ? (
        <span className="shrink-0 text-sm text-muted">binary</span>
      ) : (
        <Counts added={added} deleted={deleted} />
      )}
    </>
  )
}

/** Links to the file's lines, if they are on the page. */
function Row({ file, isShown }: { file: CommitFile; isShown: boolean }) {
  const content = <RowContent file={file} />
  return (
    <li className="border-b border-line last:border-b-0">
      {isShown ? (
        <Link data-row href={`#${printAnchor({ path: file.path })}`} className={`hover:bg-raised ${rowLook}`}>
          {content}
        </Link>
      ) : (
        <span className={rowLook}>{content}</span>
      )}
    </li>
  )
}

const filesWord = (count: number): string => (count === 1 ? '1 file changed' : `${formatNumber(count)} files changed`)

const emptyWords = (parents: readonly string[]): string =>
  parents.length > 1 ? 'This merge has no changes relative to its first parent.' : 'Empty commit: no files changed.'

/** The list of files, and a note about files that are missing in it. */
export function FileList({ commit: { files, total, parents } }: { commit: Commit }) {
  const { added, deleted } = sumOf(files)
  const known = total ?? files.length
  return (
    <section aria-labelledby="files" className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h2 id="files" className="text-lg font-semibold">
          {total === undefined ? `More than ${filesWord(known)}` : filesWord(known)}
        </h2>
        {files.length > 0 && <Counts added={added} deleted={deleted} />}
        {parents.length > 1 && <span className="text-sm text-muted">compared with the first parent</span>}
      </div>
      {files.length === 0 ? (
        <p className="text-muted">{emptyWords(parents)}</p>
      ) : (
        <ul className="overflow-hidden rounded-lg border border-line bg-surface">
          {files.map((file, index) => (
            <Row key={`${file.path} ${file.before}`} file={file} isShown={index < maxShown} />
          ))}
        </ul>
      )}
      {known > files.length && (
        <p className="text-sm text-muted">
          Showing the first {formatNumber(files.length)}; {formatNumber(known - files.length)} more are not listed.
        </p>
      )}
    </section>
  )
}
