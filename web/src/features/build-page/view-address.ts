/** What the address of a build's page says behind its `?` (docs/decisions/address.md, "The view of a build"). */
import { onlyParams, withParams } from '../../lib/search-params.ts'

/** The first one is the default for a URL without a view, unless the user has a saved preference. */
export const views = ['log', 'graph', 'timeline'] as const
export type View = (typeof views)[number]

/** What belongs to the view of a build and goes with the reader to its next step. */
const ofView = ['view', 'stages', 'drawer']
/** The same, but only within a stage. */
const ofStage = ['steps']

export const viewIn = (search: string): View | undefined => {
  const asked = new URLSearchParams(search).get('view')
  return views.find((view) => view === asked)
}

/** For another view: what belonged to the one before is gone. */
export const searchOfView = (search: string, view: View): string =>
  withParams(search, { ...Object.fromEntries([...ofView, ...ofStage].map((name) => [name, undefined])), view })

/** For another step: the view comes along, what was open above the page does not. */
export const searchAtStep = (search: string, sameStage: boolean): string =>
  onlyParams(search, sameStage ? [...ofView, ...ofStage] : ofView)
