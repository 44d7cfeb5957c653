/** The lists whose filters a person can save. */
export const viewLists = ['builds', 'branches', 'deployments', 'pulls', 'feed'] as const
export type ViewList = (typeof viewLists)[number]
