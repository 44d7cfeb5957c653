import { useAddress, useNavigation, useSearchParams } from '../../browser/navigation.tsx'
import { withParams } from '../../lib/search-params.ts'

export type Drawer = 'stage' | 'step'

/** The graph's parameters in the URL (docs/decisions/address.md, "The view of a build"). */
type Params = Partial<Record<'stages' | 'steps' | 'drawer' | 'graph', string | undefined>>

/** The graph's state in the URL, and functions that change it. `home`: the build's own path. */
export const useGraphAddress = (home: string, stage: number) => {
  const { pathname, search, hash, via } = useAddress()
  const { navigate } = useNavigation()
  const params = useSearchParams()
  const drawerParam = params.get('drawer')
  const drawer: Drawer | undefined = drawerParam === 'stage' || drawerParam === 'step' ? drawerParam : undefined
  const keep = (change: Params): void =>
    navigate(`${pathname}${withParams(search, { view: 'graph', ...change })}${hash}`, {
      replace: true,
      keepOpen: true,
      via,
      from: pathname,
    })
  return {
    drawer,
    stages: params.get('stages') ?? '',
    steps: params.get('steps') ?? '',
    /** On narrow screens, which show one graph at a time. */
    one: params.get('graph') === 'steps' ? ('step' as const) : ('stage' as const),
    follows: via === 'follow',
    /** How many of stage and step the URL names. */
    named: pathname.startsWith(`${home}/`) ? pathname.slice(home.length).split('/').length - 1 : 0,
    /** Replaces the current history entry. */
    keep,
    close: (): void => keep({ drawer: undefined }),
    choose: (drawer: Drawer, toStage: number, toStep: number): void => {
      const to = `${home}/${toStage}/${toStep}`
      const change = {
        view: 'graph',
        drawer,
        graph: drawer === 'step' ? 'steps' : undefined,
        ...(toStage !== stage && { steps: undefined }),
      }
      navigate(`${to}${withParams(search, change)}`, { via: 'press', replace: to === pathname })
    },
  }
}
