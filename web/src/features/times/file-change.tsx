import { useQuery } from '@tanstack/react-query'

import { ownQueryOf } from '../../api/own-client.ts'
import { paths } from '../../lib/paths.ts'
import { Link } from '../../ui/link.tsx'

export interface FileChangeProps {
  namespace: string
  name: string
  /** The numbers of the last build before the change and of the first one after it. */
  earlier: number
  build: number
  commit: string
}

/**
 * Says whether the pipeline file changed when the duration did. Only Flightdeck stores the file of
 * each build.
 */
export function FileChange({ namespace, name, earlier, build, commit }: FileChangeProps) {
  const before = useQuery({ ...ownQueryOf('getBuildDetails', namespace, name, earlier), staleTime: Infinity }).data
    ?.file
  const after = useQuery({ ...ownQueryOf('getBuildDetails', namespace, name, build), staleTime: Infinity }).data?.file
  if (!before || !after || before.text === after.text) return null
  return (
    <>
      {'. '}
      <Link href={paths.commit(namespace, name, commit)} className="rounded-sm text-accent underline">
        {after.path} changed
      </Link>
    </>
  )
}
