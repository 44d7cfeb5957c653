import { useId, type ReactNode } from 'react'

/** A part of a settings page: what it is about, in words, and its content. */
export function Section({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-4">
      <header>
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {about && <p className="text-muted">{about}</p>}
      </header>
      {children}
    </section>
  )
}
