import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useCapability } from '../../../api/capabilities.ts'
import { ownQueryOf } from '../../../api/own-client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useListFilter, type FilterCounts } from '../../filters/index.ts'
import type { RepositoryPageProps } from '../layout.tsx'

/** Requested once there is a filter or a menu opens; `undefined` if the server cannot count. */
export function useBuildCounts({ namespace, name }: RepositoryPageProps): FilterCounts | undefined {
  const isOffered = useCapability('build_counts')
  const { conditions, filtered } = useListFilter('builds')
  const [opened, setOpened] = useState(false)
  const query = ownQueryOf('getBuildCounts', namespace, name, { ...conditions })
  const { data, isPlaceholderData } = useQuery({
    ...query,
    enabled: isOffered && (filtered || opened),
    // The menus keep their counts until the next ones arrive.
    placeholderData: keepPreviousData,
  })
  if (!isOffered) return undefined
  const onOpen = (): void => {
    setOpened(true)
    void queryClient.prefetchQuery(query)
  }
  return { counts: data, isCurrent: !isPlaceholderData, onOpen }
}
