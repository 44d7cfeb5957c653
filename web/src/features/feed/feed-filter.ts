/** Which builds the feed shows: this person's, those that wait for this person, or all. */
export type FeedFilter = 'all' | 'mine' | 'waiting'

export const readFeedFilter = (value: string | null): FeedFilter =>
  value === 'mine' || value === 'waiting' ? value : 'all'
