import { use, type ComponentType, type ReactNode } from 'react'

import { reloadOnce } from './reload-once.ts'

export interface LazyPart<P> {
  (props: P): ReactNode
  load: () => Promise<unknown>
  /** Somebody may want it soon. A failure is for whoever shows it then: nobody's page is loaded again for a hover. */
  prepare: () => void
}

/** A part whose code comes when it is first shown, or a little before (`load`). */
export const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> => {
  let code: Promise<ComponentType<P>> | undefined
  let here: ComponentType<P> | undefined
  const keep = (component: ComponentType<P>): void => {
    here = component
  }
  const get = (): Promise<ComponentType<P>> => {
    if (code) return code
    code = load().catch(reloadOnce)
    code.then(keep, () => undefined)
    // A failure is forgotten when it has been shown, so that Retry tries again.
    code.catch(() => setTimeout(() => (code = undefined), 1_000))
    return code
  }
  function Part(props: P) {
    // What is here already must not wait: a skeleton that was shown once stays for a third of a second.
    const Component = here ?? use(get())
    return <Component {...props} />
  }
  return Object.assign(Part, { load: get, prepare: () => void load().then(keep, () => undefined) })
}
