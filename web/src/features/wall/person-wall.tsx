import type { Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useCapability } from '../../api/capabilities.ts'
import { reposQuery } from '../../api/queries.ts'
import { failedRead } from '../../api/query-client.ts'
import { useViews } from '../../api/views.ts'
import { failureReasonOf } from '../../api/failure-reason.ts'
import { useNow } from '../../browser/clock.ts'
import { useNavigation, useSearchParams } from '../../browser/navigation.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { matchesView } from '../filters/index.ts'
import { maxRepos, readRepos, reposAddress } from './address.ts'
import { ChooseDialog } from './choose-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { isShownByDefault, tileOf } from './tile.ts'
import { WallLoading } from './wall-loading.tsx'
import { WallView } from './wall-view.tsx'

const none: readonly Repo[] = []

/**
 * The repositories in the URL: selected ones, those of a saved view of the feed, or all with
 * builds.
 */
const useChosen = (repos: readonly Repo[]) => {
  const params = useSearchParams()
  const { views } = useViews('feed')
  const now = useNow('minute')
  const slugs = readRepos(params.get('repos'))
  const viewName = params.get('view')
  if (slugs) {
    const requested = new Set(slugs)
    return { slugs, title: 'Wall', shown: repos.filter(({ slug }) => requested.has(slug)) }
  }
  if (viewName !== null) {
    const view = views.find(({ name }) => name === viewName)
    const shown = view ? repos.filter((repo) => repo.active && matchesView(repo, view.query, now)) : none
    return { slugs: [], title: viewName, shown, missing: view ? undefined : viewName }
  }
  return { slugs: [], title: 'Wall', shown: repos.filter(isShownByDefault) }
}

/** The wall of a signed-in user. `lost`: live updates have stopped. */
export function PersonWall({ lost }: { lost: boolean }) {
  useTitle('Wall')
  const query = useQuery(reposQuery())
  const { data: repos, error } = query
  const { navigate } = useNavigation()
  const [dialog, setDialog] = useState<'choose' | 'link'>()
  const hasLinks = useCapability('wall_links')
  const { slugs, title, shown, missing } = useChosen(repos ?? none)
  const tiles = shown.map((repo) => tileOf(repo, repo.build ? (failureReasonOf(repo.build)?.text ?? '') : ''))
  const choose = (
    <Button disabled={!repos} onClick={() => setDialog('choose')}>
      Choose repositories
    </Button>
  )
  const link = hasLinks && (
    <Button
      className="max-sm:hidden"
      disabled={tiles.length === 0}
      disabledReason={tiles.length > maxRepos ? `Choose at most ${maxRepos} repositories first` : undefined}
      onClick={() => setDialog('link')}
    >
      Create link
    </Button>
  )
  const instead = () => {
    if (!repos) return error ? <ErrorState {...failedRead('The repositories', query)} /> : <WallLoading />
    if (missing !== undefined)
      return (
        <EmptyState
          title={`You have no view “${missing}”`}
          message="Save it in the builds feed first."
          action={choose}
        />
      )
    if (tiles.length === 0)
      return (
        <EmptyState
          title="No repositories to show"
          message={
            slugs.length > 0
              ? 'They were renamed, or you don’t have access to them.'
              : 'Repositories appear here with their first build.'
          }
          action={choose}
        />
      )
    return undefined
  }
  const rest = instead()
  return (
    <>
      <WallView
        title={title}
        tiles={tiles}
        lost={lost}
        // An empty wall has the button in its center.
        actions={
          !(repos && rest) && (
            <>
              {choose}
              {link}
            </>
          )
        }
      >
        {rest}
      </WallView>
      {dialog === 'choose' && repos && (
        <ChooseDialog
          repos={repos}
          chosen={slugs}
          onClose={() => setDialog(undefined)}
          onChoose={(next) => {
            setDialog(undefined)
            navigate(reposAddress(next))
          }}
        />
      )}
      {dialog === 'link' && <LinkDialog repos={tiles.map(({ slug }) => slug)} onClose={() => setDialog(undefined)} />}
    </>
  )
}
