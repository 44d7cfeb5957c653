import type { Repo, Retention, RetentionLimits } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { ownQueryOf } from '../../api/own-client.ts'
import { useAction } from '../../api/action.ts'
import { useCapability } from '../../api/capabilities.ts'
import { failedRead } from '../../api/query-client.ts'
import { saveRetention } from '../../api/retention.ts'
import { canAdminister, useMe } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { lastText, limitChoices, plannedTexts, type Limit } from './retention-words.ts'
import { keepTyped } from './typed.ts'
import { Section } from '../common/section.tsx'

const fields: readonly { limit: Limit; label: string }[] = [
  { limit: 'build_days', label: 'Keep builds for' },
  { limit: 'builds', label: 'Keep at most' },
  { limit: 'log_days', label: 'Keep logs for' },
  { limit: 'log_mb', label: 'Size of all logs' },
]

function Facts({ retention }: { retention: Retention }) {
  const { last } = retention
  return (
    <div className="flex flex-col gap-1">
      {plannedTexts(retention).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {last && (
        <p className="text-muted">
          Last run, <RelativeTime seconds={last.at} />: {lastText(last)}
        </p>
      )}
    </div>
  )
}

function RetentionForm({ repo, retention }: { repo: Repo; retention: Retention }) {
  const [draft, setDraft] = useState<Partial<RetentionLimits>>({})
  const { run, pending, busy } = useAction(saveRetention(repo), (_answer, sent) =>
    setDraft((typed) => keepTyped(typed, sent, {})),
  )
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        run(draft)
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {fields.map(({ limit, label }) => (
          <SelectField
            key={limit}
            label={label}
            value={String(draft[limit] ?? retention.own[limit])}
            options={limitChoices(limit, retention)}
            onChange={(value) => setDraft({ ...draft, [limit]: Number(value) })}
          />
        ))}
      </div>
      <Facts retention={retention} />
      <div>
        <Button type="submit" busy={pending} disabled={busy}>
          Update retention
        </Button>
      </div>
    </form>
  )
}

function Loading() {
  return (
    <>
      <LoadingText />
      <div aria-hidden="true" className="grid gap-4 sm:grid-cols-2">
        {fields.map(({ limit }) => (
          <Skeleton key={limit} className="h-15 w-full" />
        ))}
      </div>
    </>
  )
}

function Content({ repo }: { repo: Repo }) {
  const { data, error, isFetching, refetch } = useQuery(ownQueryOf('getRetention', repo.namespace, repo.name))
  if (data) return <RetentionForm repo={repo} retention={data} />
  if (error) return <ErrorState {...failedRead('The retention', { error, isFetching, refetch })} />
  return <Loading />
}

const about =
  'Builds and logs beyond these limits are removed every night at 3 AM, server time. Unfinished builds and the latest build of each branch and environment are kept.'

/** Limits for old builds and logs, for repository administrators (Flightdeck only). */
export function RetentionSection({ repo }: { repo: Repo }) {
  const me = useMe()
  const own = useCapability('retention')
  if (!own || !canAdminister(me, repo)) return null
  return (
    <Section title="Retention" about={about}>
      <Content key={repo.slug} repo={repo} />
    </Section>
  )
}
