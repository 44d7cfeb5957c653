import type { ReactNode } from 'react'

import { paths } from '../../lib/paths.ts'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { useAddress } from '../../browser/navigation.tsx'
import { useMayKeepOrgSecrets, useMayManageAccess } from './use-access.ts'
import type { SettingsPageProps } from './page-props.ts'

/** The side menu (specification §2, route table); a row above the page on narrow screens. */
const entriesOf = ({ namespace, name }: SettingsPageProps, hasAccess: boolean, keepsOrgSecrets: boolean) => [
  { label: 'General', to: paths.repoSettings(namespace, name), segment: undefined },
  { label: 'Secrets', to: paths.secrets(namespace, name), segment: 'secrets' },
  { label: 'Cron Jobs', to: paths.cron(namespace, name), segment: 'cron' },
  { label: 'Badges', to: paths.badges(namespace, name), segment: 'badges' },
  ...(hasAccess ? [{ label: 'Access', to: paths.access(namespace, name), segment: 'access' }] : []),
  ...(keepsOrgSecrets
    ? [{ label: 'Organization', to: paths.orgSecrets(namespace, name), segment: 'organization' }]
    : []),
]

/** On a phone the row is wider than the screen: scrolls the current entry into view. */
const intoView = (entry: HTMLElement | null) => entry?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

export function SettingsLayout({ namespace, name, children }: SettingsPageProps & { children: ReactNode }) {
  const hasAccess = useMayManageAccess({ namespace, name })
  const keepsOrgSecrets = useMayKeepOrgSecrets({ namespace, name })
  const currentTab = useAddress().pathname.split('/')[4] || undefined
  return (
    <div className="flex flex-col gap-6 md:flex-row md:gap-8">
      <nav aria-label="Settings" className="shrink-0 overflow-x-auto md:w-44">
        <ul className="flex gap-1 md:flex-col">
          {entriesOf({ namespace, name }, hasAccess, keepsOrgSecrets).map(({ label, to, segment }) => (
            <li key={to} ref={segment === currentTab ? intoView : undefined}>
              <Link
                href={to}
                aria-current={segment === currentTab ? 'page' : undefined}
                className={cx(
                  'flex h-8 items-center rounded-md px-3 whitespace-nowrap -outline-offset-2 touch:h-11',
                  segment === currentTab
                    ? 'bg-raised font-medium text-ink'
                    : 'text-muted hover:bg-raised hover:text-ink',
                )}
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex max-w-3xl min-w-0 flex-1 flex-col gap-8">{children}</div>
    </div>
  )
}
