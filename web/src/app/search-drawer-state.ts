import { createStore, useStore } from '../browser/store.ts'
import { address } from './address.ts'

/** Specification §9: "Drawer close animation 200 ms". */
const leavingMs = 200

/**
 * Opening the drawer adds a history entry, so that the browser's Back closes it (readings,
 * "Dashboard, search, account").
 */
let openings = address.entry().search ? 1 : 0
/**
 * 0: closed; n: open for the nth time; -n: closing. Opened again while it closes, it starts with an
 * empty field and above all dialogs, so each opening is another drawer.
 */
const drawer = createStore(openings)
let shutting: ReturnType<typeof setTimeout> | undefined
let isGoingBack = false

address.subscribe(({ search }) => {
  isGoingBack = false
  if (search === drawer.get() > 0) return
  clearTimeout(shutting)
  if (!search) shutting = setTimeout(() => drawer.set(0), leavingMs)
  drawer.set(search ? ++openings : -openings)
})

export const useSearchDrawer = () => useStore(drawer)

export const openSearch = (): void => {
  const { href, search, via } = address.entry()
  if (!search) address.push(href, { search: true, via })
}

/** Going back is asynchronous; a second Escape in the meantime must not leave the page. */
export const closeSearch = (): void => {
  if (isGoingBack || drawer.get() <= 0) return
  isGoingBack = true
  address.back()
}
