import { useMe } from '../../api/session.ts'
import { plural } from '../../lib/text.ts'

interface RefusedListProps {
  noun: string
  nouns: string
  refused: readonly string[]
  /** The total number, if `refused` is truncated. */
  count: number
}

/** The repositories that a sync excluded, with the reasons. */
export function RefusedList({ noun, nouns, refused, count }: RefusedListProps) {
  if (count === 0) return null
  const more = count - refused.length
  return (
    <details className="rounded-lg border border-line bg-surface px-4 py-2 text-sm">
      <summary className="cursor-pointer touch:py-2">
        {plural(count, noun, nouns)} {count === 1 ? 'is' : 'are'} not in this list
      </summary>
      <ul className="flex flex-col gap-1 py-2 text-muted">
        {refused.map((text) => (
          <li key={text} className="break-words">
            {text}
          </li>
        ))}
        {more > 0 && <li>and {plural(more, noun, nouns)} more</li>}
      </ul>
    </details>
  )
}

/** Folders that the last sync rejected. The server sends them only to administrators. */
export function RefusedFolders() {
  const refused = useMe()?.sync_refused ?? []
  return <RefusedList noun="folder" nouns="folders" refused={refused} count={refused.length} />
}
