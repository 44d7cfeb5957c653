import type { ReactNode } from 'react'

import { Logo } from '../../ui/logo.tsx'

/** The card of the pages around signing in. */
export function EntryLayout({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex min-h-page items-center justify-center p-4">
      <div className="flex w-full max-w-90 flex-col gap-5 rounded-lg border border-line bg-surface p-6 sm:p-8">
        <Logo size={40} />
        <h1 className="text-xl font-semibold">{title}</h1>
        {children}
      </div>
    </div>
  )
}
