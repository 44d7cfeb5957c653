import type { EnvironmentRule, Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useState } from 'react'

import { ownQueryOf } from '../../../api/own-client.ts'
import { canAdminister, useMe } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { ruleWords } from './words.ts'

/** All rules, also of environments that nothing was deployed to yet. Without any there is only the way to make one. */
export function ProtectedEnvironments({ repo }: { repo: Repo }) {
  const { data: rules = [] } = useQuery(ownQueryOf('listEnvironmentRules', repo.namespace, repo.name))
  const mayChange = canAdminister(useMe(), repo)
  const [edited, setEdited] = useState<EnvironmentRule | 'new'>()
  if (rules.length === 0 && !mayChange) return null
  return (
    <section aria-label="Protected environments" className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {rules.length > 0 ? <h2 className="text-lg font-semibold">Protected environments</h2> : <span />}
        {mayChange && (
          <Button size="sm" onClick={() => setEdited('new')}>
            Protect an environment
          </Button>
        )}
      </div>
      {rules.length > 0 && (
        <ul className="overflow-hidden rounded-lg border border-line bg-surface">
          {rules.map((rule) => (
            <li
              key={rule.name}
              className="flex min-h-13 items-center gap-x-3 border-b border-line px-4 py-1.5 last:border-b-0"
            >
              <Lock className="size-4 shrink-0 text-muted" aria-hidden="true" />
              <span className="flex min-w-0 flex-1 flex-col gap-x-3 md:flex-row md:items-baseline">
                <span className="min-w-0 font-medium wrap-anywhere md:basis-40">{rule.name}</span>
                <span className="min-w-0 flex-1 text-sm wrap-anywhere text-muted">{ruleWords(rule)}</span>
              </span>
              {mayChange && (
                <Button size="sm" aria-label={`Edit protection of ${rule.name}`} onClick={() => setEdited(rule)}>
                  Edit
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
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
