import type { Cron } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { GitBranch, Trash2 } from 'lucide-react'

import { useAction } from '../../api/action.ts'
import { removeCron } from '../../api/actions/entries.ts'
import { queryOf } from '../../api/queries.ts'
import { cronZone } from '../../api/capabilities.ts'
import { useMe } from '../../api/session.ts'
import { Chip } from '../../ui/chip.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { AbsoluteTime } from '../../ui/relative-time.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { useRepo } from '../../api/use-repo.ts'
import { CronForm } from './cron-form.tsx'
import type { SettingsPageProps } from './page-props.ts'
import { ListRow, RemoteList } from './remote-list.tsx'
import { Section } from './section.tsx'

function CronRow({ cron, repo }: { cron: Cron; repo: SettingsPageProps }) {
  const { run, busy } = useAction(removeCron(repo, cron.name))
  const ask = async () => {
    const yes = await confirm({
      title: 'Are you sure you want to remove cron job?',
      action: 'Remove cron job',
      description: `${cron.name} will no longer start builds. Existing builds are kept.`,
      danger: true,
    })
    if (yes) run()
  }
  return (
    <ListRow
      action={
        <IconButton
          label={`Delete cron job ${cron.name}`}
          hint="Delete"
          side="left"
          busy={busy}
          onClick={() => void ask()}
        >
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
      {/* Beside the button there is room for its tooltip. */}
      <span className="basis-full text-sm text-muted md:mr-14 md:ml-auto md:basis-auto">
        Next run: <AbsoluteTime seconds={cron.next} />
      </span>
      {cron.failed && (
        <span className="basis-full text-sm text-danger md:pr-14">
          Could not start a build, <AbsoluteTime seconds={cron.failed} />: {cron.error}
        </span>
      )}
    </ListRow>
  )
}

/** Specification §2 "Repository settings", Cron Jobs. */
export function CronPage({ namespace, name }: SettingsPageProps) {
  const repo = useRepo(namespace, name)
  const query = useQuery(queryOf('listCron', namespace, name))
  const zone = cronZone(useMe())
  useTitle(`Cron Jobs – ${repo.slug}`)
  return (
    <>
      <Section
        title="Cron Jobs"
        about={
          zone === undefined
            ? 'Builds that run on a schedule.'
            : `Builds that run on a schedule, in the time zone ${zone}.`
        }
      >
        <RemoteList query={query} what="cron jobs" hint="Add the first cron job below.">
          {(cron) => <CronRow key={cron.name} cron={cron} repo={{ namespace, name }} />}
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
