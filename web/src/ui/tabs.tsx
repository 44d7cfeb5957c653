import { cx } from './class-names.ts'
import { Link } from './link.tsx'

export interface TabItem {
  to: string
  label: string
  /** Visible, but not a link. */
  disabled?: boolean
  current: boolean
}

const look = 'inline-flex h-10 items-center border-b-2 px-1 text-base whitespace-nowrap transition-colors touch:h-11'

/** The style of a tab, for links and buttons. */
export const tabClass = (isCurrent: boolean): string =>
  cx(
    look,
    isCurrent ? 'border-accent font-medium text-ink' : 'border-transparent text-muted hover:border-line hover:text-ink',
  )

function Tab({ to, label, disabled = false, current }: TabItem) {
  if (disabled) {
    return (
      // A link without an href: it can't be followed, and is announced as disabled.
      <span
        role="link"
        aria-disabled="true"
        className={cx(look, 'cursor-not-allowed border-transparent text-muted opacity-60')}
      >
        {label}
      </span>
    )
  }
  return (
    <Link href={to} aria-current={current ? 'page' : undefined} className={tabClass(current)}>
      {label}
    </Link>
  )
}

/** On a narrow screen the row scrolls, so that the current tab is completely visible. */
const scrollToTab = (tab: HTMLElement | null): void => {
  const row = tab?.closest('nav')
  if (!tab || !row) return
  const place = tab.getBoundingClientRect()
  const room = row.getBoundingClientRect()
  if (place.right > room.right) row.scrollLeft += place.right - room.right
  else if (place.left < room.left) row.scrollLeft -= room.left - place.left
}

/** Tabs are links: each has a URL. */
export function Tabs({ items, label = 'Sections' }: { items: readonly TabItem[]; label?: string }) {
  return (
    <nav aria-label={label} className="-mb-px overflow-x-auto overflow-y-hidden">
      <ul className="flex gap-5">
        {items.map((item) => (
          <li key={item.to} ref={item.current ? scrollToTab : undefined}>
            <Tab {...item} />
          </li>
        ))}
      </ul>
    </nav>
  )
}
