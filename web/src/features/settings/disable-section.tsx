import type { Repo } from '@flightdeck/api'

import { useAction } from '../../api/action.ts'
import { disableRepo } from '../../api/actions/repository.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { Section } from '../common/section.tsx'

const ask = () =>
  confirm({
    title: 'Are you sure you want to disable this repo?',
    action: 'Disable',
    description: 'New commits will no longer start builds. Existing builds, secrets and cron jobs are kept.',
    danger: true,
  })

const noRight = 'Only repository administrators can disable it.'

/** `locked`: only administrators of the repository can disable it, and this user is not one. */
export function DisableSection({ repo, locked }: { repo: Repo; locked: boolean }) {
  const { run, pending, busy } = useAction(disableRepo(repo))
  const press = async () => {
    if (await ask()) run()
  }
  return (
    <Section title="Disable repository" about={locked ? noRight : 'You can reactivate it later. Nothing is deleted.'}>
      <div>
        <Button
          busy={pending}
          disabled={busy}
          disabledReason={locked ? noRight : undefined}
          onClick={() => void press()}
        >
          <span className={locked ? undefined : 'text-danger'}>Disable</span>
        </Button>
      </div>
    </Section>
  )
}
