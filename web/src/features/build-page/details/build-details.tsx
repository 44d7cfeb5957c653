import type { Build, BuildDetails as Details, Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { ownQueryOf } from '../../../api/own-client.ts'
import { useCapability } from '../../../api/capabilities.ts'
import { failedRead } from '../../../api/query-client.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { LoadingText, Skeleton } from '../../../ui/skeleton.tsx'
import { EventDescription, fileLink, shortHash } from '../../events/index.ts'
import { Attempts } from './attempts.tsx'
import { FileText } from './file-text.tsx'
import { secretNames } from './secret-names.ts'

export interface BuildDetailsProps {
  build: Build
  repo: Repo
  /** The line of the pipeline file to highlight and scroll to. */
  line: number | undefined
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium">{title}</h3>
      {children}
    </section>
  )
}

function Parameters({ params }: { params: Readonly<Record<string, string>> }) {
  const all = Object.entries(params)
  if (all.length === 0) return <p className="text-muted">None</p>
  return (
    <dl className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] gap-x-4 gap-y-1 font-mono text-sm">
      {all.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="break-words text-muted">{name}</dt>
          <dd className="break-words whitespace-pre-wrap">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function File({ file, line }: { file: NonNullable<Details['file']>; line: number | undefined }) {
  const secrets = secretNames(file.text)
  return (
    <>
      <Part title="Pipeline file">
        <p className="text-sm text-muted">
          <code className="font-mono">{file.path}</code> at <code className="font-mono">{shortHash(file.commit)}</code>
        </p>
        <FileText file={file} line={line} />
      </Part>
      {secrets.length > 0 && (
        <Part title="Secrets used">
          <ul className="flex flex-wrap gap-x-4 gap-y-1 font-mono text-sm">
            {secrets.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}

/** Details that only Flightdeck provides. */
function Own({ build, repo, line }: BuildDetailsProps) {
  const { namespace, name } = repo
  const { data, error, refetch, isFetching } = useQuery(ownQueryOf('getBuildDetails', namespace, name, build.number))
  if (!data && error) return <ErrorState {...failedRead('The details', { error, isFetching, refetch })} />
  if (!data)
    return (
      <div className="flex flex-col gap-2">
        <LoadingText text="Loading details" />
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
    )
  return (
    <>
      <Part title="Attempts">
        <Attempts attempts={data.attempts} namespace={namespace} name={name} number={build.number} />
      </Part>
      {data.left_out && (
        <Part title="Pipelines that did not match">
          <ul className="text-muted">
            {data.left_out.map(({ name: left, text }) => (
              <li key={left}>
                <bdi className="text-ink">{left}</bdi> – {text}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {data.file && <File file={data.file} line={line} />}
    </>
  )
}

/** The commands, the trigger and the parameters of a build. */
export function BuildDetails(props: BuildDetailsProps) {
  const { build, repo } = props
  const own = useCapability('build_details')
  const elsewhere = own ? undefined : fileLink(repo, build)
  return (
    <div className="flex flex-col gap-5">
      <Part title="Trigger">
        <p>
          <EventDescription build={build} repo={repo} />
        </p>
      </Part>
      <Part title="Parameters">
        <Parameters params={build.params ?? {}} />
      </Part>
      {own && <Own {...props} />}
      {elsewhere && (
        <p>
          <a href={elsewhere} target="_blank" rel="noreferrer" className="rounded-sm text-accent underline">
            Pipeline file at {shortHash(build.after)}
          </a>
        </p>
      )}
    </div>
  )
}
