import type { RunnerNeeds, Runners } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'

import { ownQueryOf } from '../../api/own-client.ts'
import { useAction } from '../../api/action.ts'
import { showSecret } from '../../api/actions/queue.ts'
import { failedRead } from '../../api/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { canTake, isLocal, runnerStart } from './runner-command.ts'

function Command({
  title,
  label,
  text,
  children,
}: {
  title: string
  label: string
  text: string
  children?: ReactNode
}) {
  const id = useId()
  return (
    <li className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium text-ink">{title}</h3>
        <span className="flex flex-wrap items-center gap-2">
          {children}
          <CopyButton textId={id} text={text} label={label} copiedLabel="Copied" />
        </span>
      </div>
      <pre
        id={id}
        className="rounded-lg border border-line bg-raised px-3 py-2.5 font-mono text-sm leading-5 break-all whitespace-pre-wrap text-ink"
      >
        {text}
      </pre>
    </li>
  )
}

function OwnRunner({ rpc, needs, isOther }: Pick<Runners, 'rpc'> & { needs: RunnerNeeds; isOther: boolean }) {
  const [secret, setSecret] = useState<string>()
  const { run, pending } = useAction(showSecret, (answer) => setSecret(answer.secret))
  const { title, command } = runnerStart(rpc, secret, needs)
  return (
    <Command
      title={isOther ? `Or ${title.charAt(0).toLowerCase()}${title.slice(1)}` : title}
      label="Copy command"
      text={command}
    >
      {rpc.secret && secret === undefined && (
        <Button size="sm" busy={pending} onClick={() => run()}>
          Show secret
        </Button>
      )}
      {secret !== undefined && (
        <Button size="sm" onClick={() => setSecret(undefined)}>
          Hide secret
        </Button>
      )}
    </Command>
  )
}

function Notes({ rpc, guide }: Pick<Runners, 'rpc'> & { guide: string | undefined }) {
  return (
    <div className="flex flex-col gap-1 text-sm text-muted">
      {guide && (
        <p>
          See <code className="font-mono">{guide}</code>.
        </p>
      )}
      {!rpc.secret && (
        <p>
          This server has no runner secret yet. Start it with <code className="font-mono">--rpc-secret-file FILE</code>{' '}
          and replace SECRET with the contents of that file.
        </p>
      )}
      {isLocal(rpc.host) && (
        <p>
          Containers and other machines can’t reach {rpc.host}. Start this server with{' '}
          <code className="font-mono">--host</code> and <code className="font-mono">--public-url</code> set to an
          address they can reach.
        </p>
      )}
    </div>
  )
}

/** How to add a runner of the missing type. The secret is fetched only when it is revealed. */
export function RunnerHelp({ needs }: { needs: RunnerNeeds }) {
  const { data, error, refetch, isFetching } = useQuery(ownQueryOf('getRunners'))
  if (!data && error) return <ErrorState {...failedRead('Runner help', { error, isFetching, refetch })} />
  const { kept, dockerStart } = data ?? {}
  // The server's own runner matches: its problem is already shown, and another runner would not
  // solve it.
  if (kept && canTake(kept.filter, needs)) return null
  const start = dockerStart && canTake(dockerStart.filter, needs) ? dockerStart : undefined
  return (
    <section aria-label="Add a runner" className="flex max-w-3xl min-w-0 flex-col gap-4">
      <ol className="flex min-w-0 flex-col gap-4">
        {start && (
          <Command title="Restart this server with Docker enabled" label="Copy start command" text={start.command} />
        )}
        {data ? (
          <OwnRunner rpc={data.rpc} needs={needs} isOther={start !== undefined} />
        ) : (
          <li>
            <LoadingText />
            <Skeleton className="h-50 w-full" />
          </li>
        )}
      </ol>
      {data && <Notes rpc={data.rpc} guide={runnerStart(data.rpc, undefined, needs).guide} />}
    </section>
  )
}
