import { useRef, useState } from 'react'

import { useMe } from '../api/session.ts'
import { paths } from '../lib/paths.ts'
import { Dialog } from '../ui/dialog.tsx'
import { isTyping } from '../browser/is-typing.ts'
import { useNavigation } from '../browser/navigation.tsx'
import { useListeners } from '../browser/use-listeners.ts'
import { openSearch } from './search-drawer-state.ts'

const list = [
  { keys: '/', does: 'Search repositories, branches and builds' },
  { keys: 'g then h', does: 'Go to the dashboard' },
  { keys: 'g then b', does: 'Go to the builds feed' },
  { keys: 'g then a', does: 'Go to your account' },
  { keys: 'f', does: 'Build page: go to the failing step' },
  { keys: 'Esc', does: 'Leave a dialog, a menu or the search' },
  { keys: '?', does: 'Show this list' },
]

const places: Record<string, string> = { h: paths.home, b: '/builds-feed', a: paths.account }

/** The keys that work on every page, and the list of all keys (design.md, rule 5). */
export function Shortcuts() {
  const [listed, setListed] = useState(false)
  const { navigate } = useNavigation()
  const signedIn = useMe() !== undefined

  const going = useRef(false)
  const onKeyDown = (event: KeyboardEvent) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (!plain || event.defaultPrevented || isTyping(event.target) || document.querySelector('dialog[open]')) return
    const place = going.current ? places[event.key] : undefined
    going.current = event.key === 'g'
    if (event.key === '?') setListed(true)
    else if (!signedIn) return
    else if (place) navigate(place)
    else if (event.key === '/') {
      event.preventDefault()
      openSearch()
    }
  }
  useListeners('document', { keydown: onKeyDown })

  return (
    <Dialog open={listed} onClose={() => setListed(false)} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {list.map(({ keys, does }) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded-md border border-line bg-raised px-1.5 py-0.5 font-mono text-sm">{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
