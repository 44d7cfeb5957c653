import type { Repo } from '@flightdeck/api'

import { can } from '../../api/capabilities.ts'
import { canWrite, useMe } from '../../api/session.ts'
import { paths } from '../../lib/paths.ts'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { useAddress } from '../../browser/navigation.tsx'
import { cx } from '../../ui/class-names.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs, type TabItem } from '../../ui/tabs.tsx'
import { FavoriteStar } from '../common/favorite-star.tsx'
import { SignInButton } from '../common/sign-in-button.tsx'
import { FilterButtons } from '../filters/index.ts'
import { NewBuildButton } from './new-build-button.tsx'
import type { RepositoryTab } from './tab-of.ts'

/**
 * Specification §2: Settings only for users with write access; the other tabs are disabled while
 * the repository is inactive. The Pull requests tab is shown if the repository has a web address.
 */
const tabsOf = (
  { namespace, name }: { namespace: string; name: string },
  current: RepositoryTab,
  { inactive, writer, hasPulls }: { inactive: boolean; writer: boolean; hasPulls: boolean },
): TabItem[] => {
  const tab = (id: RepositoryTab, label: string, to: string): TabItem => ({
    to,
    label,
    current: current === id,
    disabled: inactive && id !== 'settings',
  })
  return [
    tab('builds', 'Builds', paths.repo(namespace, name)),
    tab('branches', 'Branches', paths.branches(namespace, name)),
    tab('deployments', 'Deployments', paths.deployments(namespace, name)),
    ...(hasPulls ? [tab('pulls', 'Pull requests', paths.pulls(namespace, name))] : []),
    ...(writer ? [tab('settings', 'Settings', paths.repoSettings(namespace, name))] : []),
  ]
}

/**
 * Reserves the space of New Build, so that the header has the same height on all tabs and while
 * loading.
 */
function NoAction({ loading }: { loading: boolean }) {
  return <span aria-hidden="true" className={cx('h-8 touch:h-11', loading && 'w-29 touch:w-31')} />
}

export function RepositoryHeader({
  namespace,
  name,
  repo,
  tab,
}: {
  namespace: string
  name: string
  repo: Repo | undefined
  tab: RepositoryTab
}) {
  const user = useMe()
  const { pathname } = useAddress()
  // Not on the pages below a list, for example that of one branch.
  const list = tab !== 'settings' && pathname.split('/').length <= (tab === 'builds' ? 3 : 4) ? tab : undefined
  const hasFavorites = user !== undefined && can(user, 'favorites')
  const writer = repo !== undefined && canWrite(user, repo)
  const canStart = writer && repo.active && tab !== 'settings'
  const tabs = tabsOf({ namespace, name }, tab, {
    inactive: repo?.active === false,
    writer,
    hasPulls: tab === 'pulls' || /^https?:/.test(repo?.link ?? ''),
  })
  return (
    <PageHeader
      breadcrumb={<Breadcrumb items={[{ label: 'Dashboard', to: paths.home }, { label: namespace }]} />}
      title={name}
      tabs={<Tabs label="Repository" items={tabs} />}
      actions={
        <>
          {hasFavorites && (
            // On a phone the header has no room for it; the dashboard has it.
            <span className="hidden md:flex">
              <FavoriteStar repo={{ namespace, name, slug: `${namespace}/${name}` }} />
            </span>
          )}
          {list && repo?.active && <FilterButtons list={list} />}
          {canStart ? (
            <NewBuildButton repo={repo} />
          ) : user ? (
            <NoAction loading={repo === undefined} />
          ) : (
            <SignInButton />
          )}
        </>
      }
    />
  )
}
