import type { Repo } from '@flightdeck/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { client } from '../../api/client.ts'
import { errorText } from '../../api/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import { rememberRepo } from '../repository/index.ts'
import { Section } from './section.tsx'

const ask = () =>
  confirm({
    title: 'Are you sure you want to disable this repo?',
    action: 'Disable',
    description: 'Commits start no builds any more. Builds, secrets and cron jobs are kept.',
    danger: true,
  })

export function DisableSection({ repo }: { repo: Repo }) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => client.disableRepo(repo.namespace, repo.name),
    onSuccess: (answer) => {
      rememberRepo(queryClient, repo, { ...answer, active: false })
      toast.success('Repo has been disabled')
    },
    onError: (error) => toast.error(`Unable to disable repo: ${errorText(error)}`),
  })
  const press = async () => {
    if (await ask()) mutate()
  }
  return (
    <Section title="Disable repository" about="It can be activated again; nothing is deleted.">
      <div>
        <Button busy={isPending} onClick={() => void press()}>
          <span className="text-danger">Disable</span>
        </Button>
      </div>
    </Section>
  )
}
