/** What the address of a build's page says behind its `?` (docs/decisions/address.md, "The view of a build"). */

/** The first is what an address means that names none, to a reader who has not chosen yet. */
export const views = ['log', 'graph'] as const
export type View = (typeof views)[number]

/** What belongs to the view of a build and goes with the reader to its next step; `steps` only within a stage. */
const ofView = ['view', 'stages', 'steps', 'drawer']

const partsOf = (search: string): string[] => search.replace(/^\?/, '').split('&').filter(Boolean)
const nameOf = (part: string): string => part.split('=', 1)[0] ?? ''
const joined = (parts: readonly string[]): string => (parts.length > 0 ? `?${parts.join('&')}` : '')

export const viewIn = (search: string): View | undefined => {
  const asked = new URLSearchParams(search).get('view')
  return views.find((view) => view === asked)
}

/** With some parameters changed and all others as they stand; `undefined` takes one away, an empty text is a bare name. */
export const withParams = (search: string, changes: Readonly<Record<string, string | undefined>>): string =>
  joined([
    ...partsOf(search).filter((part) => !Object.hasOwn(changes, nameOf(part))),
    ...Object.entries(changes).flatMap(([name, value]) =>
      value === undefined ? [] : [value === '' ? name : `${name}=${encodeURIComponent(value)}`],
    ),
  ])

/** For another view: what belonged to the one before is gone. */
export const searchOfView = (search: string, view: View): string =>
  withParams(search, { ...Object.fromEntries(ofView.map((name) => [name, undefined])), view })

/** For another step: the view comes along, what was open above the page does not. */
export const searchAtStep = (search: string, sameStage: boolean): string =>
  joined(partsOf(search).filter((part) => ofView.includes(nameOf(part)) && (sameStage || nameOf(part) !== 'steps')))
