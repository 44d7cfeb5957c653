import type { SourceFile as File } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { authorsQuery, sourceQuery, type LineOfFile, type StepOfBuild } from '../../../api/own.ts'
import { failedRead, isStatus } from '../../../api/query-client.ts'
import { paths } from '../../../lib/paths.ts'
import { formatNumber } from '../../../lib/text.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Link } from '../../../ui/link.tsx'
import { LoadingText, Skeleton } from '../../../ui/skeleton.tsx'
import { shortHash } from '../../events/index.ts'
import { SourceLines } from './source-lines.tsx'
import { WhoChangedIt } from './who-changed-it.tsx'

export interface SourceFileProps {
  at: StepOfBuild
  place: LineOfFile
  onPlace: (place: LineOfFile) => void
}

const noLines = {
  binary: 'It is no text.',
  large: 'It is larger than 2 MB, and not shown here.',
  link: 'It is a link to another file. Links are not followed here.',
  submodule: 'It is another repository within this one.',
  folder: 'It is a folder.',
}

type Text = Extract<File, { kind: 'text' }>

function Loading() {
  return (
    <div className="flex flex-col gap-3">
      <LoadingText text="Loading the file" />
      <Skeleton className="h-5 w-72" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-80 w-full" />
    </div>
  )
}

/** Tools that run within a folder name its files from there: more than one may be meant. */
function Several({ file, place, onPlace }: SourceFileProps & { file: Extract<File, { kind: 'several' }> }) {
  return (
    <section aria-label="Which file" className="flex flex-col gap-2">
      <p>
        The commit has several files called <bdi className="font-mono text-sm">{place.path}</bdi>. Which one is meant?
      </p>
      <ul className="flex flex-col items-start gap-1">
        {file.paths.map((path) => (
          <li key={path}>
            <Button onClick={() => onPlace({ path, line: place.line })}>
              <bdi className="font-mono text-sm break-all">{path}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function TextOf({ file, at, place }: SourceFileProps & { file: Text }) {
  const authors = useQuery(authorsQuery(at, place))
  const meant = Math.min(place.line, file.total)
  const last = file.from + file.lines.length - 1
  return (
    <>
      <WhoChangedIt authors={authors.data} isLate={authors.isError} at={at} line={meant} />
      {place.line > file.total && (
        <p>The file has only {formatNumber(file.total)} lines here: the log may be of another file of this name.</p>
      )}
      <SourceLines file={file} line={meant} authors={authors.data} at={at} />
      <p className="text-sm text-muted">
        Lines {formatNumber(file.from)} to {formatNumber(last)} of {formatNumber(file.total)}
      </p>
    </>
  )
}

/** The lines around one that a log names, as they are at the build's commit, and who changed them last. */
export function SourceFile(props: SourceFileProps) {
  const { at, place } = props
  const { namespace, name, build } = at
  const { data, error, refetch, isFetching } = useQuery(sourceQuery(namespace, name, build, place))
  if (!data && isStatus(error, 404))
    return (
      <EmptyState
        title="Not in this commit"
        message={
          <>
            <bdi className="font-mono text-sm break-all">{place.path}</bdi> may have been made while the step ran, or
            belong to something that was installed.
          </>
        }
      />
    )
  if (!data && error) return <ErrorState {...failedRead('The file', { error, isFetching, refetch })} />
  if (!data) return <Loading />
  if (data.kind === 'several') return <Several {...props} file={data} />
  return (
    <div className="flex h-full min-w-0 flex-col gap-3">
      <p className="min-w-0 text-sm text-muted">
        <bdi className="font-mono break-all text-ink">{data.path}</bdi> at{' '}
        <Link
          href={paths.commit(namespace, name, data.commit)}
          className="rounded-sm font-mono text-accent hover:underline touch:py-3"
        >
          {shortHash(data.commit)}
        </Link>
      </p>
      {data.kind === 'text' ? <TextOf {...props} file={data} /> : <p>{noLines[data.kind]}</p>}
    </div>
  )
}
