/** The builds that the feed shows: the user's, those that wait for the user, or all. */
export type FeedFilter = 'all' | 'mine' | 'waiting'

export const readFeedFilter = (value: string | null): FeedFilter =>
  value === 'mine' || value === 'waiting' ? value : 'all'
