/** Which builds the feed shows: this person's, those that wait for this person, or all. */
export type Shown = 'all' | 'mine' | 'waiting'

export const readShown = (value: string | null): Shown => (value === 'mine' || value === 'waiting' ? value : 'all')
