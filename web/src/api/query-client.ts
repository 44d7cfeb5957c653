import { ApiError } from '@flightdeck/api'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

import { userQuery } from './queries.ts'

/**
 * The message for any kind of failure; the only place that turns an error into text. Messages of
 * the JavaScript engine about faults in our own code (`Cannot read properties of undefined`) are
 * not shown to users.
 */
export const errorText = (error: unknown): string =>
  error instanceof Error && error.message !== '' && !/^(Type|Range|Reference|Syntax)Error$/.test(error.name)
    ? error.message
    : 'Something went wrong'

/** The error state of a failed read. `what` is for example "The users". */
export const failedRead = (
  what: string,
  { error, isFetching, refetch }: { error: unknown; isFetching: boolean; refetch: () => unknown },
) => ({
  message: `${what} could not be loaded: ${errorText(error)}${isStatus(error, 0) ? '. Check your connection and that the server is running' : ''}`,
  busy: isFetching,
  onRetry: () => void refetch(),
})

/** The server sent no message: there is only the status (api/src/request.ts). */
export const hasNoMessage = (error: unknown): boolean =>
  error instanceof ApiError && error.message === `Request failed with status code ${error.status}`

export const isStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof ApiError && statuses.includes(error.status)

/**
 * Checks once whether the user is signed in. A 401 alone doesn't mean "signed out": users without
 * access to a repository get it too (architecture.md, "signed out"). Only if this request itself
 * returns 401 does the guard redirect to the sign-in page.
 */
export const checkSession = async (): Promise<{ answered: boolean }> => {
  const { queryKey } = userQuery()
  await queryClient.refetchQueries({ queryKey }, { cancelRefetch: false })
  const error = queryClient.getQueryState(queryKey)?.error
  return { answered: !error || isStatus(error, 401) }
}

export const isSignedOut = (): boolean => isStatus(queryClient.getQueryState(userQuery().queryKey)?.error, 401)

const onError = (error: unknown, isUserCall: boolean): void => {
  if (!isUserCall && isStatus(error, 401) && !isSignedOut()) void checkSession()
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => onError(error, query.queryKey[0] === 'getUser') }),
  mutationCache: new MutationCache({ onError: (error) => onError(error, false) }),
  defaultOptions: {
    queries: {
      retry: false,
      // Only the user retries a failed query (readings), not another component that mounts with the
      // same query.
      retryOnMount: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
      // Long enough that a loader and its component make one request.
      staleTime: 5_000,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** Removes failed queries without observers, so that returning to a page refetches them. */
export const resetFailedQueries = (): void => {
  queryClient.removeQueries({
    type: 'inactive',
    predicate: (query) => query.state.status === 'error' && query.queryKey[0] !== 'getUser',
  })
}

/** After signing out, cached data of the user is removed. */
export const clearQueries = (): void => {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'getUser' })
  queryClient.getMutationCache().clear()
}
