import type { Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { ownQueryOf } from '../../api/own-client.ts'
import { fetchMirror, repairConnection } from '../../api/actions/connection.ts'
import { useAction } from '../../api/action.ts'
import { forgeOf, type ConnectedForge } from '../../api/forge.ts'
import { failedRead } from '../../api/query-client.ts'
import { canAdminister, useMe } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { ConnectionFacts } from './connection-facts.tsx'
import { Section } from '../common/section.tsx'

function Loading() {
  return (
    <>
      <LoadingText />
      <div aria-hidden="true" className="rounded-lg border border-line bg-surface">
        {[1, 2, 3].map((row) => (
          <div key={row} className="flex h-12 items-center border-b border-line px-4 last:border-b-0">
            <Skeleton className="h-3 w-1/2" />
          </div>
        ))}
      </div>
    </>
  )
}

function ConnectionActions({ repo }: { repo: Repo }) {
  const fetching = useAction(fetchMirror(repo))
  const repairing = useAction(repairConnection(repo))
  return (
    <div className="flex flex-wrap gap-2">
      <Button busy={fetching.pending} onClick={() => fetching.run()}>
        Fetch now
      </Button>
      <Button busy={repairing.pending} onClick={() => repairing.run()}>
        Repair webhook
      </Button>
    </div>
  )
}

function Connection({ repo, forge }: { repo: Repo; forge: ConnectedForge }) {
  const { data, error, isFetching, refetch } = useQuery(ownQueryOf('getRepoConnection', repo.namespace, repo.name))
  if (data)
    return (
      <>
        <ConnectionFacts connection={data} forge={forge} />
        {repo.active && <ConnectionActions repo={repo} />}
      </>
    )
  if (error) return <ErrorState {...failedRead(`The connection to ${forge.title}`, { error, isFetching, refetch })} />
  return <Loading />
}

/**
 * The connection of the repository to its forge, for administrators; nothing for a local
 * repository.
 */
export function ConnectionSection({ repo }: { repo: Repo }) {
  const me = useMe()
  const forge = forgeOf(repo)
  if (!forge || !canAdminister(me, repo)) return null
  return (
    <Section title={`Connection to ${forge.title}`} about="Webhook, mirror and the account that Flightdeck uses.">
      <Connection repo={repo} forge={forge} />
    </Section>
  )
}
