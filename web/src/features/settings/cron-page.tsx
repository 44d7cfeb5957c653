import { useQuery } from '@tanstack/react-query'

import { queryOf } from '../../api/queries.ts'
import { cronZone } from '../../api/capabilities.ts'
import { useMe } from '../../api/session.ts'
import { useTitle } from '../../browser/use-title.ts'
import { useRepo } from '../../api/use-repo.ts'
import { CronForm } from './cron-form.tsx'
import { CronRow } from './cron-row.tsx'
import type { SettingsPageProps } from './page-props.ts'
import { RemoteList } from '../common/remote-list.tsx'
import { Section } from '../common/section.tsx'

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
      {/* Rendered after the list, because below a list of unknown length it would jump. */}
      {!query.isPending && (
        <Section title="New cron job">
          <CronForm namespace={namespace} name={name} />
        </Section>
      )}
    </>
  )
}
