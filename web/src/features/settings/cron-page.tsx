import type { Cron } from '@flightdeck/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { GitBranch, Trash2 } from 'lucide-react'

import { client } from '../../api/client.ts'
import { errorText } from '../../api/query-client.ts'
import { cronQuery } from '../../api/queries.ts'
import { Chip } from '../../ui/chip.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { AbsoluteTime } from '../../ui/relative-time.tsx'
import { toast } from '../../ui/toast.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { useRepo } from '../repository/index.ts'
import { CronForm } from './cron-form.tsx'
import type { SettingsPageProps } from './page-props.ts'
import { ListRow, RemoteList } from './remote-list.tsx'
import { Section } from './section.tsx'

const useRemoveCron = ({ namespace, name }: SettingsPageProps) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (cron: string) => client.deleteCron(namespace, name, cron),
    onSuccess: () => {
      toast.success('Cron has been removed successfully')
      return queryClient.invalidateQueries({ queryKey: ['listCron', namespace, name] })
    },
    // Specification §8: cron failures show the raw message.
    onError: (error) => toast.error(errorText(error)),
  })
}

function CronRow({ cron, onDelete }: { cron: Cron; onDelete: (name: string) => void }) {
  const ask = async () => {
    const yes = await confirm({
      title: 'Are you sure you want to remove cron job?',
      action: 'Remove cron job',
      description: `${cron.name} will start no more builds. Its builds are kept.`,
      danger: true,
    })
    if (yes) onDelete(cron.name)
  }
  return (
    <ListRow
      action={
        <IconButton label={`Delete cron job ${cron.name}`} hint="Delete" side="left" onClick={() => void ask()}>
          <Trash2 className="size-4" aria-hidden="true" />
        </IconButton>
      }
    >
      <span className="min-w-0 basis-full font-medium md:basis-40">{cron.name}</span>
      <Chip>{cron.expr}</Chip>
      <Chip>
        <GitBranch className="mr-1 inline size-3" aria-hidden="true" />
        {cron.branch}
      </Chip>
      {cron.disabled && <Chip>disabled</Chip>}
      <span className="basis-full text-sm text-muted md:ml-auto md:basis-auto">
        Next run: <AbsoluteTime seconds={cron.next} />
      </span>
    </ListRow>
  )
}

/** Specification §2 "Repository settings", Cron Jobs. */
export function CronPage({ namespace, name }: SettingsPageProps) {
  const repo = useRepo(namespace, name)
  const query = useQuery(cronQuery(namespace, name))
  const { mutate } = useRemoveCron({ namespace, name })
  useTitle(`Cron Jobs – ${repo.slug}`)
  return (
    <>
      <Section title="Cron Jobs" about="Builds of a branch that start by the clock.">
        <RemoteList query={query} what="cron jobs" hint="Add the first cron job below.">
          {(cron) => <CronRow key={cron.name} cron={cron} onDelete={mutate} />}
        </RemoteList>
      </Section>
      {/* Below a list of unknown length it would jump when the list comes. */}
      {!query.isPending && (
        <Section title="New cron job">
          <CronForm namespace={namespace} name={name} />
        </Section>
      )}
    </>
  )
}
