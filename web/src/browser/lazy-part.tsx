import { use, type ComponentType, type ReactNode } from 'react'

import { reloadOnce } from './reload-once.ts'

export interface LazyPart<P> {
  (props: P): ReactNode
  load: () => Promise<unknown>
  /**
   * Prefetches the code. Errors are reported only when the part is rendered, so a hover never
   * reloads the page.
   */
  prepare: () => void
}

/** A component whose code loads when it is first rendered, or earlier with `load`. */
export const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> => {
  let code: Promise<ComponentType<P>> | undefined
  let Loaded: ComponentType<P> | undefined
  const keep = (component: ComponentType<P>): void => {
    Loaded = component
  }
  const get = (): Promise<ComponentType<P>> => {
    if (code) return code
    code = load().catch(reloadOnce)
    code.then(keep, () => undefined)
    // A failure is removed after it has been shown, so that Retry tries again.
    code.catch(() => setTimeout(() => (code = undefined), 1_000))
    return code
  }
  function Part(props: P) {
    // Code that has loaded must render immediately: React would keep a shown skeleton for a third
    // of a second.
    const Component = Loaded ?? use(get())
    return <Component {...props} />
  }
  return Object.assign(Part, { load: get, prepare: () => void load().then(keep, () => undefined) })
}
