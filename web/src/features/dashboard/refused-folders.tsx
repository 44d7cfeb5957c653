import { useMe } from '../../api/session.ts'

/** Folders that the last sync refused, with the reasons: otherwise a repository is only missing. The server tells administrators. */
export function RefusedFolders() {
  const refused = useMe()?.sync_refused ?? []
  if (refused.length === 0) return null
  const noun = refused.length === 1 ? 'folder is' : 'folders are'
  return (
    <details className="rounded-lg border border-line bg-surface px-4 py-2 text-sm">
      <summary className="cursor-pointer touch:py-2">
        {refused.length} {noun} not in this list
      </summary>
      <ul className="flex flex-col gap-1 py-2 text-muted">
        {refused.map((text) => (
          <li key={text} className="break-words">
            {text}
          </li>
        ))}
      </ul>
    </details>
  )
}
