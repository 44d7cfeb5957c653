import type { Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, type ReactNode } from 'react'

import { failedRead, isStatus } from '../../api/query-client.ts'
import { queryOf } from '../../api/queries.ts'
import { canWrite, useMe } from '../../api/session.ts'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { ErrorState, type ErrorStateProps } from '../../ui/error-state.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Redirect, useAddress } from '../../browser/navigation.tsx'
import { PageBody } from '../../ui/page-header.tsx'
import { useRecordVisit } from '../../browser/page-visits.ts'
import { useTitle } from '../../browser/use-title.ts'
import { NotFound } from '../common/not-found.tsx'
import { InactiveRepository } from './inactive-repository.tsx'
import { RepositoryHeader } from './repository-header.tsx'
import { PageSkeleton } from './skeletons.tsx'
import { tabOf, type RepositoryTab } from './tab-of.ts'

export interface RepositoryPageProps {
  namespace: string
  name: string
}

function SettingsRefused({ repo }: { repo: Repo }) {
  useTitle(`Settings – ${repo.slug}`)
  return (
    <EmptyState
      title="You can’t change these settings"
      message={`You need write permission on ${repo.slug}. Ask a repository administrator.`}
      action={<LinkButton href={paths.repo(repo.namespace, repo.name)}>View builds</LinkButton>}
    />
  )
}

function RepositoryLoading({ namespace, name, tab }: RepositoryPageProps & { tab: RepositoryTab }) {
  useTitle(`${namespace}/${name}`)
  return <PageSkeleton tab={tab} />
}

function RepositoryFailed({ namespace, name, ...failure }: RepositoryPageProps & ErrorStateProps) {
  useTitle(`${namespace}/${name}`)
  return <ErrorState {...failure} />
}

interface GuardedProps {
  repo: Repo
  /** Of the current data: `repo` can still be the one before its activation. */
  active: boolean
  tab: RepositoryTab
  children: ReactNode
}

/** The content below the header: the page, or why it is not available. */
function Guarded({ repo, active, tab, children }: GuardedProps) {
  const user = useMe()
  useRecordVisit(repo.namespace, repo.name)
  if (!active && tab !== 'settings') return <Redirect to={paths.repoSettings(repo.namespace, repo.name)} />
  if (!repo.active) return <InactiveRepository repo={repo} />
  if (tab === 'settings' && !canWrite(user, repo)) return <SettingsRefused repo={repo} />
  return children
}

/**
 * Header, tabs and guards of a repository (specification §2, §6). The page inside can rely on the
 * repository.
 */
export function RepositoryLayout({ namespace, name, children }: RepositoryPageProps & { children: ReactNode }) {
  const { pathname, shownPathname } = useAddress()
  const tab = tabOf(pathname)
  const { data, error, refetch, isFetching } = useQuery(queryOf('getRepo', namespace, name))
  // Deferred: while the page's code loads, the header stays, and the focus on its heading with it.
  const repo = useDeferredValue(data)
  // Specification §6: both show the not-found page. Whether the user is signed out is checked
  // elsewhere.
  if (!data && isStatus(error, 401, 404)) return <NotFound />
  return (
    <>
      <RepositoryHeader namespace={namespace} name={name} repo={data} tab={tab} />
      <PageBody>
        {repo ? (
          <ErrorBoundary region="This page" resetKey={`${pathname} ${shownPathname}`}>
            <Guarded repo={repo} active={(data ?? repo).active} tab={tab}>
              {children}
            </Guarded>
          </ErrorBoundary>
        ) : error ? (
          <RepositoryFailed
            namespace={namespace}
            name={name}
            {...failedRead('The repository', { error, isFetching, refetch })}
          />
        ) : (
          <RepositoryLoading namespace={namespace} name={name} tab={tab} />
        )}
      </PageBody>
    </>
  )
}
