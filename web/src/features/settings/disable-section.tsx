import type { Repo } from '@flightdeck/api'

import { useAction } from '../../api/action.ts'
import { disableRepo } from '../../api/actions/repository.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { Section } from './section.tsx'

const ask = () =>
  confirm({
    title: 'Are you sure you want to disable this repo?',
    action: 'Disable',
    description: 'Commits start no builds any more. Builds, secrets and cron jobs are kept.',
    danger: true,
  })

export function DisableSection({ repo }: { repo: Repo }) {
  const { run, pending, busy } = useAction(disableRepo(repo))
  const press = async () => {
    if (await ask()) run()
  }
  return (
    <Section title="Disable repository" about="It can be activated again; nothing is deleted.">
      <div>
        <Button busy={pending} disabled={busy} onClick={() => void press()}>
          <span className="text-danger">Disable</span>
        </Button>
      </div>
    </Section>
  )
}
