import type { More } from '../ui/show-more.tsx'
import { errorText } from './query-client.ts'

/** The paging state of `useInfiniteQuery`. */
interface Paging {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: Error | null
  fetchNextPage: () => unknown
}

/** The further pages of an infinite query, as lists offer them. */
export const moreOf = ({
  hasNextPage,
  isFetchingNextPage,
  isFetchNextPageError,
  error,
  fetchNextPage,
}: Paging): More => ({
  exists: hasNextPage,
  busy: isFetchingNextPage,
  failed: isFetchNextPageError && error ? errorText(error) : undefined,
  load: () => void fetchNextPage(),
})
