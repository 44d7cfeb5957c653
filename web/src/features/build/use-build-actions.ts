import type { Build } from '@flightdeck/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { client } from '../../api/client.ts'
import { buildQuery } from '../../api/queries.ts'
import { errorText } from '../../api/query-client.ts'
import { paths } from '../../lib/paths.ts'
import { useNavigation } from '../../ui/navigation.tsx'
import { toast } from '../../ui/toast.tsx'

export interface BuildAddress {
  namespace: string
  name: string
  number: number
}

/** wire.md §9.2: the answer is `null` when the server skipped the build. */
const skipped = 'the server did not create a build'

const useRefresh = ({ namespace, name, number }: BuildAddress) => {
  const queryClient = useQueryClient()
  return {
    /** An answer knows less than the cache (no stages), and no event follows it (wire.md §9.6). */
    merge: (answer: Build) => {
      const { queryKey } = buildQuery(namespace, name, answer.number)
      if (answer.number === number)
        queryClient.setQueryData(queryKey, (known) => (known ? { ...known, ...answer } : known))
      void queryClient.invalidateQueries({ queryKey })
      void queryClient.invalidateQueries({ queryKey: ['listBuilds', namespace, name] })
    },
    build: () => queryClient.invalidateQueries({ queryKey: buildQuery(namespace, name, number).queryKey }),
    list: () => queryClient.invalidateQueries({ queryKey: ['listBuilds', namespace, name] }),
  }
}

/** What can be done to a build, with the texts of specification §8 and the ways of §4. */
export const useBuildActions = (address: BuildAddress, stage: number) => {
  const { namespace, name, number } = address
  const { navigate } = useNavigation()
  const refresh = useRefresh(address)
  const fail = (what: string) => (error: unknown) => toast.error(`Unable to ${what}: ${errorText(error)}`)

  const cancel = useMutation({
    mutationFn: () => client.cancelBuild(namespace, name, number),
    onSuccess: (build) => {
      refresh.merge(build)
      // "Cancel moves to the returned build number."
      navigate(paths.build(namespace, name, build.number))
    },
    onError: fail('cancel build'),
  })
  const restart = useMutation({
    mutationFn: () => client.restartBuild(namespace, name, number),
    onSuccess: (build) => {
      if (!build) return fail('restart build')(new Error(skipped))
      void refresh.list()
      return navigate(paths.build(namespace, name, build.number, 1, 1))
    },
    onError: fail('restart build'),
  })
  const debug = useMutation({
    mutationFn: () => client.restartBuild(namespace, name, number, { debug: true }),
    onSuccess: (build) => {
      if (!build) return fail('restart in debug mode')(new Error(skipped))
      void refresh.list()
      return navigate(paths.build(namespace, name, build.number))
    },
    onError: fail('restart in debug mode'),
  })
  const approve = useMutation({
    mutationFn: () => client.approveStage(namespace, name, number, stage),
    onSuccess: () => refresh.build(),
    onError: fail('approve build'),
  })
  const decline = useMutation({
    mutationFn: () => client.declineStage(namespace, name, number, stage),
    onSuccess: () => refresh.build(),
    onError: fail('decline build'),
  })
  return { cancel, restart, debug, approve, decline }
}
