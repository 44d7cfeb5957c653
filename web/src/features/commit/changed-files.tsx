import type { CommitFile } from '@flightdeck/api'

import { formatNumber, plural } from '../../lib/text.ts'
import { Counts } from './counts.tsx'
import { FileSection } from './file-section.tsx'
import { sumOf } from './file-words.ts'
import { maxShown } from './max-shown.ts'
import { VisibleText } from '../common/visible-text.tsx'

/**
 * The files that differ between two commits, collapsed, with the lines of the first ones. `total`:
 * absent if git did not count them all.
 */
export function ChangedFiles({ files, total }: { files: readonly CommitFile[]; total: number | undefined }) {
  const { added, deleted } = sumOf(files)
  const count = total ?? files.length
  const unlisted = total === undefined ? undefined : total - files.length
  return (
    <details className="min-w-0">
      <summary className="cursor-pointer rounded-sm py-1 touch:min-h-11">
        <span className="font-medium">
          {total === undefined && 'More than '}
          {count === 1 ? '1 file differs' : `${formatNumber(count)} files differ`}
        </span>{' '}
        <span className="inline-flex">
          <Counts added={added} deleted={deleted} />
        </span>
      </summary>
      <div className="mt-2 flex flex-col gap-3">
        {files.slice(0, maxShown).map((file) => (
          <FileSection key={`${file.path} ${file.before}`} file={file} target={undefined} />
        ))}
        {files.length > maxShown && (
          <ul aria-label="Other files" className="font-mono text-sm">
            {files.slice(maxShown).map(({ path, before }) => (
              <li key={`${path} ${before}`} className="wrap-anywhere">
                <VisibleText text={path} />
              </li>
            ))}
          </ul>
        )}
        {count > maxShown && <p className="text-sm text-muted">Only the first {maxShown} files show their lines.</p>}
        {unlisted === undefined && <p className="text-sm text-muted">More files differ that are not listed.</p>}
        {unlisted !== undefined && unlisted > 0 && (
          <p className="text-sm text-muted">
            {plural(unlisted, 'more file')} {unlisted === 1 ? 'is' : 'are'} not listed.
          </p>
        )}
      </div>
    </details>
  )
}
