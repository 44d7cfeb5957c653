import type { Commit } from '@flightdeck/api'

import { useNavigation } from '../../browser/navigation.tsx'
import { useKeys } from '../../browser/use-keys.ts'
import { paths } from '../../lib/paths.ts'
import { toast } from '../../ui/toast.ts'

/** The newer commit of each commit seen on this page: git itself only knows parents. */
const newer = new Map<string, string>()

const header = 130
/**
 * Moves the focus to the next (1) or previous (-1) file, starting from the focused or else the
 * visible one.
 */
const focusFile = (way: 1 | -1): void => {
  const files = [...document.querySelectorAll<HTMLElement>('main [data-file]')]
  const focused = files.findIndex((file) => file === document.activeElement)
  const read = files.findLastIndex((file) => (file.closest('section')?.getBoundingClientRect().top ?? 0) < header)
  const file = files[(focused < 0 ? read : focused) + way]
  file?.focus({ preventScroll: true })
  file?.closest('section')?.scrollIntoView({ block: 'start' })
}

/** The commit page's keyboard shortcuts; app/shortcuts.tsx lists them. */
export const useCommitKeys = (namespace: string, name: string, commit: Commit | undefined): void => {
  const { navigate } = useNavigation()
  const [parent] = commit?.parents ?? []
  const keyOf = (sha: string): string => `${namespace}/${name} ${sha}`
  if (commit && parent !== undefined) newer.set(keyOf(parent), commit.sha)
  useKeys((key, { repeat }) => {
    if (key === ']' || key === '[') return focusFile(key === ']' ? 1 : -1)
    if (!commit || repeat || (key !== 'n' && key !== 'p')) return undefined
    const next = key === 'p' ? parent : newer.get(keyOf(commit.sha))
    if (next !== undefined) navigate(paths.commit(namespace, name, next), { via: 'key' })
    else toast.warning(key === 'p' ? 'No older commit' : 'No newer commit is known')
    return undefined
  })
}
