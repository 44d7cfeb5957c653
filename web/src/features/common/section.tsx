import { useId, type ReactNode } from 'react'

interface SectionProps {
  title: string
  about?: string | undefined
  /** For an `aria-describedby`. */
  aboutId?: string
  children: ReactNode
}

/** A section of a settings page: title, description and content. */
export function Section({ title, about, aboutId, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-4">
      <header>
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {about && (
          <p id={aboutId} className="text-muted">
            {about}
          </p>
        )}
      </header>
      {children}
    </section>
  )
}
