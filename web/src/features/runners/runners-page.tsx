import type { ManagedRunnerState, Runners } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { Pause, Play } from 'lucide-react'
import type { ReactNode } from 'react'

import { ownQueryOf } from '../../api/own-client.ts'
import { useAction } from '../../api/action.ts'
import { pauseQueue, resumeQueue } from '../../api/actions/queue.ts'
import { failedRead } from '../../api/query-client.ts'
import { useTitle } from '../../browser/use-title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageBody, PageHeader } from '../../ui/page-header.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { SystemTabs } from '../common/system-tabs.tsx'
import { QueueList } from './queue-list.tsx'
import { RunnerRow } from './runner-row.tsx'

/** Events do not report runners. */
const pollMs = 5_000

function PauseButton({ paused }: { paused: boolean }) {
  const pause = useAction(pauseQueue)
  const resume = useAction(resumeQueue)
  const { run, pending } = paused ? resume : pause
  const Icon = paused ? Play : Pause
  return (
    <Button variant={paused ? 'primary' : 'secondary'} busy={pending} onClick={() => run()}>
      <Icon className="size-4" aria-hidden="true" />
      {paused ? 'Resume queue' : 'Pause queue'}
    </Button>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children}
    </section>
  )
}

const keptWords = { starting: 'is starting', working: 'is working', failing: 'is not working' } as const

/** The managed runner, if there is something to report. */
function Kept({ kept }: { kept: ManagedRunnerState }) {
  if (kept.state === 'working') return null
  return (
    <p role="status" className="rounded-lg border border-line bg-warning-soft px-4 py-2 break-words">
      The Docker runner {kept.name} {keptWords[kept.state]}
      {kept.error === undefined ? '.' : `: ${kept.error}`}
    </p>
  )
}

function Full({ data: { runners, queue, total, paused, kept } }: { data: Runners }) {
  return (
    <>
      {paused && (
        <p role="status" className="rounded-lg border border-line bg-warning-soft px-4 py-2">
          The queue is paused. Running stages continue; nothing new starts.
        </p>
      )}
      <Section title="Runners">
        {kept && <Kept kept={kept} />}
        {runners.length === 0 ? (
          <EmptyState
            title="It looks a little empty here!"
            message="No runner has connected since the server started."
          />
        ) : (
          <ul className="overflow-hidden rounded-lg border border-line bg-surface">
            {runners.map((runner) => (
              <RunnerRow key={`${runner.address} ${runner.version} ${JSON.stringify(runner.filter)}`} runner={runner} />
            ))}
          </ul>
        )}
      </Section>
      <Section title="Queue">
        {queue.length === 0 ? (
          <EmptyState title="It looks a little empty here!" message="Running and queued stages appear here." />
        ) : (
          <QueueList items={queue} total={total} />
        )}
      </Section>
    </>
  )
}

function Loading() {
  return (
    <>
      <LoadingText />
      {['Runners', 'Queue'].map((title) => (
        <Section key={title} title={title}>
          <div className="rounded-lg border border-line bg-surface">
            {[1, 2].map((row) => (
              <div key={row} className="flex h-16 items-center gap-4 border-b border-line px-4 last:border-b-0">
                <Skeleton className="h-3 w-1/4" />
                <Skeleton className="h-3 w-1/3" />
              </div>
            ))}
          </div>
        </Section>
      ))}
    </>
  )
}

/** The runners, the queue, and the button that pauses it. For administrators; Flightdeck only. */
export function RunnersPage() {
  const { data, error, refetch, isFetching } = useQuery({ ...ownQueryOf('getRunners'), refetchInterval: pollMs })
  useTitle('Runners')
  return (
    <>
      <PageHeader
        title="Runners"
        tabs={<SystemTabs />}
        actions={data ? <PauseButton paused={data.paused} /> : !error && <Skeleton className="h-8 w-32 touch:h-11" />}
      />
      <PageBody>
        {!data && error ? (
          <ErrorState {...failedRead('The runners', { error, isFetching, refetch })} />
        ) : data ? (
          <Full data={data} />
        ) : (
          <Loading />
        )}
      </PageBody>
    </>
  )
}
