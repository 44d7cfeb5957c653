import type { ReactNode } from 'react'

/** The card of the pages around signing in. */
export function EntryLayout({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex min-h-page items-center justify-center p-4">
      <div className="flex w-full max-w-90 flex-col gap-5 rounded-lg border border-line bg-surface p-6 sm:p-8">
        <svg viewBox="0 0 32 32" className="size-10" aria-hidden="true">
          <rect width="32" height="32" rx="8" className="fill-accent" />
          <path d="M7 21.5 16 7l9 14.5-9-3.6z" className="fill-on-accent" />
        </svg>
        <h1 className="text-xl font-semibold">{title}</h1>
        {children}
      </div>
    </div>
  )
}
