import type { EnvironmentRule, Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useState } from 'react'

import { ownQueryOf } from '../../../api/own-client.ts'
import { canAdminister, isMember, useMe } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { ListRow, RemoteList } from '../../common/remote-list.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { ruleWords } from './words.ts'

/**
 * All rules, including those for environments without deployments. If there are none,
 * administrators see only the button to add one.
 */
export function ProtectedEnvironments({ repo }: { repo: Repo }) {
  const me = useMe()
  const isReader = isMember(me, repo)
  const query = useQuery({
    ...ownQueryOf('listEnvironmentRules', repo.namespace, repo.name),
    enabled: isReader,
  })
  const mayChange = canAdminister(me, repo)
  const [edited, setEdited] = useState<EnvironmentRule | 'new'>()
  const isEmpty = query.data?.length === 0
  if (!isReader || (isEmpty && !mayChange)) return null
  return (
    <section aria-label="Protected environments" className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {isEmpty ? <span /> : <h2 className="text-lg font-semibold">Protected environments</h2>}
        {mayChange && (
          <Button size="sm" onClick={() => setEdited('new')}>
            Protect an environment
          </Button>
        )}
      </div>
      <RemoteList query={query} what="protected environments">
        {(rule) => (
          <ListRow
            key={rule.name}
            action={
              mayChange && (
                <Button size="sm" aria-label={`Edit protection of ${rule.name}`} onClick={() => setEdited(rule)}>
                  Edit
                </Button>
              )
            }
          >
            <Lock className="size-4 shrink-0 text-muted" aria-hidden="true" />
            <span className="flex min-w-0 flex-1 flex-col gap-x-3 md:flex-row md:items-baseline">
              <span className="min-w-0 font-medium wrap-anywhere md:basis-40">{rule.name}</span>
              <span className="min-w-0 flex-1 text-sm wrap-anywhere text-muted">{ruleWords(rule)}</span>
            </span>
          </ListRow>
        )}
      </RemoteList>
      {edited && (
        <RuleDialog
          repo={repo}
          {...(edited === 'new' ? { rule: undefined } : { environment: edited.name, rule: edited })}
          open
          onClose={() => setEdited(undefined)}
        />
      )}
    </section>
  )
}
