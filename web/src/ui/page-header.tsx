import type { ReactNode } from 'react'

import { cx } from './class-names.ts'

export interface PageHeaderProps {
  breadcrumb?: ReactNode
  title: ReactNode
  tabs?: ReactNode
  actions?: ReactNode
}

/** Breadcrumb, title, tabs; actions at the right end. It stays while the page scrolls (design.md "Frame"). */
export function PageHeader({ breadcrumb, title, tabs, actions }: PageHeaderProps) {
  return (
    <header className={cx('sticky top-0 z-20 border-b border-line bg-canvas px-4 pt-3 md:px-6', !tabs && 'pb-3')}>
      {breadcrumb}
      <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="min-w-0 flex-1 basis-40 truncate text-xl font-semibold">{title}</h1>
        {actions && <div className="flex shrink-0 flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {tabs && <div className="mt-1">{tabs}</div>}
    </header>
  )
}

/** The body of a page: its gutter and the widest line that still reads well. */
export function PageBody({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx('mx-auto flex w-full max-w-7xl flex-col gap-6 p-4 md:p-6', className)}>{children}</div>
}
