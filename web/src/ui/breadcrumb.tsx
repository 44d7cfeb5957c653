import { Link } from './link.tsx'

export interface BreadcrumbItem {
  label: string
  /** Absent for the current page. */
  to?: string
}

export function Breadcrumb({ items }: { items: readonly BreadcrumbItem[] }) {
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-sm text-muted">
        {items.map((item, index) => (
          <li key={`${item.to ?? ''} ${item.label}`} className="flex min-w-0 items-center gap-1.5">
            {index > 0 && <span aria-hidden="true">/</span>}
            {item.to ? (
              <Link
                href={item.to}
                className="truncate rounded-sm hover:text-ink hover:underline touch:-my-3.25 touch:py-3.25"
              >
                {item.label}
              </Link>
            ) : (
              <span aria-current="page" className="truncate">
                {item.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
