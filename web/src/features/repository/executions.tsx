import type { Build, Repo } from '@flightdeck/api'

import { Button } from '../../ui/button.tsx'
import { BuildRow } from './build-row.tsx'
import { ExecutionsFrame } from './executions-frame.tsx'
import { useBufferedBuilds } from './use-buffered-builds.ts'
import { ShowMore, type More } from '../../ui/show-more.tsx'
import { usePortion } from '../../ui/use-portion.tsx'

interface ExecutionsProps {
  repo: Repo
  builds: readonly Build[]
  more: More
  /** Lists only the builds of this branch. */
  of?: string
}

/** The list of builds. It doesn't shift while being read: new builds are added on request. */
export function Executions({ repo, builds, more, of }: ExecutionsProps) {
  const { shown, waiting, show, top } = useBufferedBuilds(builds)
  const { visible, more: loaded } = usePortion(shown.length)
  return (
    <ExecutionsFrame top={top} of={of}>
      {waiting > 0 && (
        // Without a height, so that it does not move the rows below.
        <div className="sticky top-28 z-10 -mb-2 flex h-0 justify-center">
          <Button variant="primary" size="sm" className="rounded-full" onClick={show}>
            {waiting === 1 ? '1 new build' : `${waiting} new builds`}
          </Button>
        </div>
      )}
      <ul className="overflow-hidden rounded-lg border border-line bg-surface">
        {shown.slice(0, visible).map((build) => (
          <BuildRow key={build.number} build={build} repo={repo} />
        ))}
      </ul>
      {loaded ? <div className="flex justify-center">{loaded}</div> : <ShowMore more={more} what="builds" />}
    </ExecutionsFrame>
  )
}
