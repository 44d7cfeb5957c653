import type { Repo } from '@flightdeck/api'

import { useAction } from '../../api/action.ts'
import { activateRepo } from '../../api/actions/repository.ts'
import { canAdminister, useMe } from '../../api/session.ts'
import { useNavigation } from '../../browser/navigation.tsx'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { rememberActivated } from './just-activated.ts'

function ActivateButton({ repo }: { repo: Repo }) {
  const { navigate } = useNavigation()
  const { run, pending, busy } = useAction(activateRepo(repo), () => {
    rememberActivated(repo.slug)
    navigate(paths.repo(repo.namespace, repo.name))
  })
  return (
    <Button variant="primary" busy={pending} disabled={busy} onClick={() => run()}>
      Activate Repository
    </Button>
  )
}

/** Specification §2 "Inactive repository". */
export function InactiveRepository({ repo }: { repo: Repo }) {
  const user = useMe()
  useTitle(`Settings – ${repo.slug}`)
  return canAdminister(user, repo) ? (
    <EmptyState
      title="This Repository is not Active."
      message="Once it is active, new commits and tags start builds."
      action={<ActivateButton repo={repo} />}
    />
  ) : (
    <EmptyState
      title="This Repository is not Active."
      message="Please contact the repository administrator to activate this repository."
    />
  )
}
