import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { reposQuery } from '../../api/queries.ts'
import { useMe } from '../../api/session.ts'
import { useAddress, useNavigation, useSearchParams } from '../../browser/navigation.tsx'
import { countShown, shows, type Show } from '../../lib/repo-view.ts'
import { withParams } from '../../lib/search-params.ts'
import { formatNumber } from '../../lib/text.ts'
import { cx } from '../../ui/class-names.ts'
import { StatusIcon } from '../../ui/status-icon.tsx'

const labels: Record<Show, { status: string; text: string }> = {
  failing: { status: 'failure', text: 'failing' },
  mine: { status: 'failure', text: 'failing (mine)' },
  waiting: { status: 'blocked', text: 'waiting for me' },
  running: { status: 'running', text: 'running' },
}

/**
 * Counts repositories by their latest builds; a press on a number narrows the list to these
 * repositories, a second press lists all again. Renders nothing until the whole list is loaded.
 */
export function StatusStrip() {
  const me = useMe()
  const { navigate } = useNavigation()
  const { pathname, search } = useAddress()
  const chosen = useSearchParams().get('show')
  const { data: repos } = useQuery(reposQuery())
  const counts = useMemo(() => me && repos && countShown(repos, me), [me, repos])
  if (!counts) return null
  return (
    <div
      role="group"
      aria-label="Show repositories"
      // Scrolls sideways where large counts have no room. The padding keeps the focus ring visible.
      className="-mx-1 -my-3.5 flex min-w-0 flex-1 gap-1.5 overflow-x-auto p-1 [scrollbar-width:none] *:first:ml-auto"
    >
      {shows.map((show) => {
        const count = counts.get(show) ?? 0
        const isChosen = chosen === show
        if (count === 0 && !isChosen) return null
        const { status, text } = labels[show]
        return (
          <button
            key={show}
            type="button"
            title={`${formatNumber(count)} ${text}`}
            aria-pressed={isChosen}
            onClick={() => {
              const next = withParams(search, { show: isChosen ? undefined : show })
              navigate(`${pathname}${next}`, { replace: true, keepOpen: true })
            }}
            className={cx(
              'inline-flex h-8 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-sm whitespace-nowrap tabular-nums transition-colors touch:h-11',
              // Without its text it would look like the number next to it.
              show === 'mine' && !isChosen && 'max-md:hidden',
              isChosen ? 'border-accent bg-raised text-ink' : 'border-line bg-surface text-muted hover:bg-raised',
            )}
          >
            <span aria-hidden="true" className="inline-flex">
              <StatusIcon status={status} size={14} />
            </span>
            {formatNumber(count)} <span className="max-md:sr-only">{text}</span>
          </button>
        )
      })}
    </div>
  )
}
