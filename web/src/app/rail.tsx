import { useQuery } from '@tanstack/react-query'
import { Activity, LogIn, Monitor, Moon, Search, Settings, Sun } from 'lucide-react'
import type { ReactNode } from 'react'

import { userQuery } from '../api/queries.ts'
import { useMe } from '../api/session.ts'
import { paths } from '../lib/paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { cx } from '../ui/class-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Link } from '../ui/link.tsx'
import { Logo } from '../ui/logo.tsx'
import { useAddress } from '../browser/navigation.tsx'
import { useStore } from '../browser/store.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { openSearch } from './search-drawer-state.ts'
import { setTheme, themes, themeStore } from '../browser/theme.ts'
import { waitingCount } from './waiting-count.ts'

const item =
  'inline-flex size-10 items-center justify-center rounded-md text-muted transition-colors hover:bg-raised hover:text-ink aria-[current]:bg-raised aria-[current]:text-ink touch:size-11'

interface RailLinkProps {
  to: string
  label: string
  hint?: string
  /** Announced after the label. */
  description?: string | undefined
  children: ReactNode
}

function RailLink({ to, label, hint, description, children }: RailLinkProps) {
  const { pathname } = useAddress()
  const isCurrent = to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`)
  return (
    <Tooltip text={hint ?? label} side="rail">
      <Link
        href={to}
        aria-label={label}
        aria-description={description}
        aria-current={isCurrent ? 'page' : undefined}
        className={item}
      >
        {children}
      </Link>
    </Tooltip>
  )
}

function ThemeSwitch() {
  const theme = useStore(themeStore)
  const Icon = { system: Monitor, light: Sun, dark: Moon }[theme]
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  return (
    <IconButton
      label={`Theme: ${theme}. Change theme`}
      hint={`Theme: ${theme}`}
      side="rail"
      className={cx(item, 'max-md:size-11')}
      onClick={() => setTheme(next)}
    >
      <Icon className="size-5" aria-hidden="true" />
    </IconButton>
  )
}

function SearchButton() {
  return (
    <IconButton
      label="Search"
      hint="Search  Ctrl+K"
      side="rail"
      className={cx(item, 'max-md:size-11')}
      onClick={openSearch}
    >
      <Search className="size-5" aria-hidden="true" />
    </IconButton>
  )
}

/**
 * Shows the number of builds waiting for this user, once a list that includes them has been read.
 */
function FeedLink() {
  const waiting = useStore(waitingCount)
  return (
    <RailLink
      to={paths.feed}
      label="Builds feed"
      hint="Builds feed  g b"
      description={waiting > 0 ? `Waiting for me: ${waiting}` : undefined}
    >
      <Activity className="size-5" aria-hidden="true" />
      {waiting > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-0 right-0 min-w-4 rounded-full bg-accent px-1 text-center text-xs text-on-accent"
        >
          {waiting > 99 ? '99+' : waiting}
        </span>
      )}
    </RailLink>
  )
}

/** Specification §2, "Sidebar". On the left; a bar at the bottom below 768 px. */
export function Rail() {
  const user = useMe()
  const { isPending } = useQuery(userQuery())
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex h-(--bar) items-center justify-around border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:inset-y-0 md:right-auto md:h-auto md:w-14 md:flex-col md:justify-start md:gap-1 md:border-t-0 md:border-r md:py-2"
    >
      <Tooltip text="Dashboard" side="rail">
        <Link
          href={paths.home}
          aria-label="Flightdeck, home"
          className="inline-flex size-10 items-center justify-center rounded-md touch:size-11"
        >
          <Logo />
        </Link>
      </Tooltip>
      {user ? <SearchButton /> : isPending && <span className="size-10 touch:size-11" />}
      {user && <FeedLink />}
      <span className="hidden flex-1 md:block" />
      {user?.admin && (
        <RailLink to={paths.settings} label="Settings">
          <Settings className="size-5" aria-hidden="true" />
        </RailLink>
      )}
      <ThemeSwitch />
      {user ? (
        <RailLink to={paths.account} label="Account" hint={user.login}>
          <Avatar login={user.login} src={user.avatar} size={28} />
        </RailLink>
      ) : isPending ? (
        <span className="size-10 touch:size-11" />
      ) : (
        <SignInLink />
      )}
    </nav>
  )
}

function SignInLink() {
  return (
    <Link href={paths.welcome} className={item} title="Click to sign in or sign up.">
      <LogIn className="size-5" aria-hidden="true" />
      <span className="sr-only">Click to sign in or sign up.</span>
    </Link>
  )
}
