import type { Repo } from '@flightdeck/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { client } from '../../api/client.ts'
import { errorText } from '../../api/query-client.ts'
import { canAdminister, useMe } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { toast } from '../../ui/toast.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { rememberRepo } from './remember-repo.ts'

function ActivateButton({ repo }: { repo: Repo }) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => client.enableRepo(repo.namespace, repo.name),
    onSuccess: (answer) => {
      rememberRepo(queryClient, repo, { ...answer, active: true })
      toast.success('Repo has been successfully enabled')
    },
    // Specification §8: a failed activation shows the raw message.
    onError: (error) => toast.error(errorText(error)),
  })
  return (
    <Button variant="primary" busy={isPending} onClick={() => mutate()}>
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
      message="Once it is active, commits and tags start builds here."
      action={<ActivateButton repo={repo} />}
    />
  ) : (
    <EmptyState
      title="This Repository is not Active."
      message="Please contact the repository administrator to activate this repository."
    />
  )
}
