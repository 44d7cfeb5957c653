import { safeHref } from '../engine/ansi/index.ts'

/** A link to the terminal that a step in debug mode shares. */
export function SessionLink({ session }: { session: string | undefined }) {
  if (!session || !safeHref(session)) return null
  return (
    <p className="border-b border-line px-3 py-1.5 text-sm">
      <a href={session} target="_blank" rel="noopener noreferrer" className="text-accent underline">
        Remote debug session
      </a>
    </p>
  )
}
