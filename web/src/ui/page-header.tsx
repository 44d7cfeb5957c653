import type { ReactNode } from 'react'

import { cx } from './class-names.ts'

/** The maximum width that is comfortable to read, shared by header and body. */
const measure = 'mx-auto w-full max-w-[88rem]'

export interface PageHeaderProps {
  breadcrumb?: ReactNode
  title: ReactNode
  tabs?: ReactNode
  actions?: ReactNode
  /** The page and its header fill the window. */
  wide?: boolean
}

/**
 * Breadcrumb, title and tabs, with actions on the right. It stays visible while the page scrolls
 * (design.md "Frame").
 */
export function PageHeader({ breadcrumb, title, tabs, actions, wide = false }: PageHeaderProps) {
  return (
    <header className={cx('sticky top-0 z-20 border-b border-line bg-canvas px-4 pt-3 md:px-6', !tabs && 'pb-3')}>
      <div className={wide ? undefined : measure}>
        {breadcrumb}
        <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="min-w-0 flex-1 basis-28 truncate text-xl font-semibold">{title}</h1>
          {actions && <div className="flex shrink-0 flex-wrap items-center gap-2">{actions}</div>}
        </div>
        {tabs && <div className="mt-1">{tabs}</div>}
      </div>
    </header>
  )
}

/** The body of a page, with its margins. */
export function PageBody({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className="p-4 md:p-6">
      <div className={cx(measure, 'flex flex-col gap-6', className)}>{children}</div>
    </div>
  )
}
