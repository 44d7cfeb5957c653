import { createStore, useStore } from '../browser/store.ts'
import { address } from './address.ts'

/** Specification §9: "Drawer close animation 200 ms". */
const leavingMs = 200

/**
 * Opening the drawer adds a history entry, so that the browser's Back closes it (readings,
 * "Dashboard, search, account").
 */
const drawer = createStore<'shut' | 'open' | 'leaving'>(address.entry().search ? 'open' : 'shut')
let shutting: ReturnType<typeof setTimeout> | undefined
let isGoingBack = false

address.subscribe(({ search }) => {
  isGoingBack = false
  if (search === (drawer.get() === 'open')) return
  clearTimeout(shutting)
  if (!search) shutting = setTimeout(() => drawer.set('shut'), leavingMs)
  drawer.set(search ? 'open' : 'leaving')
})

export const useSearchDrawer = () => useStore(drawer)

export const openSearch = (): void => {
  const { href, search, via } = address.entry()
  if (!search) address.push(href, { search: true, via })
}

/** Going back is asynchronous; a second Escape in the meantime must not leave the page. */
export const closeSearch = (): void => {
  if (isGoingBack || drawer.get() !== 'open') return
  isGoingBack = true
  address.back()
}
