/** The query parameters of a build's page (docs/decisions/address.md, "The view of a build"). */
import { onlyParams, withParams } from '../../lib/search-params.ts'

/**
 * The first one is the default for a URL without a view, unless the user has a saved preference.
 */
export const views = ['log', 'graph', 'timeline'] as const
export type View = (typeof views)[number]

/** Parameters of the view that stay when the user goes to the next step. */
const ofView = ['view', 'stages', 'drawer']
/** Parameters that stay within a stage only. */
const ofStage = ['steps']

export const viewIn = (search: string): View | undefined => {
  const viewParam = new URLSearchParams(search).get('view')
  return views.find((view) => view === viewParam)
}

/** For another view: removes the parameters of the previous one. */
export const searchOfView = (search: string, view: View): string =>
  withParams(search, { ...Object.fromEntries([...ofView, ...ofStage].map((name) => [name, undefined])), view })

/** For a different step: keeps the view, and closes overlays. */
export const searchAtStep = (search: string, sameStage: boolean): string =>
  onlyParams(search, sameStage ? [...ofView, ...ofStage] : ofView)
