import { isDone, type Build, type Stage } from '@flightdeck/api'

import { useCapability } from '../../api/capabilities.ts'
import { useAction } from '../../api/action.ts'
import { rerunPart } from '../../api/actions/rerun.ts'
import { debugBuild, type BuildAddress } from '../../api/actions/builds.ts'
import { useNavigation } from '../../browser/navigation.tsx'
import { paths } from '../../lib/paths.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { oneStage } from './one-stage.ts'
import { useRestart } from './stop-or-restart.tsx'

/** All ways to run the build again: unchanged, a part of it, or with debugging. */
export const useRestarts = (address: BuildAddress, build: Build, stage: Stage | undefined) => {
  const { navigate } = useNavigation()
  const own = useCapability('restart_part')
  const show = ({ number }: Build) => navigate(paths.build(address.namespace, address.name, number), { via: 'follow' })
  const restart = useRestart(address)
  const again = useAction(rerunPart(address), show)
  // Specification §4: a debug restart opens the page of the new build.
  const debug = useAction(debugBuild(address), show)
  const stages = build.stages ?? []
  const parts: MenuItem[] = []
  // In a build with a single stage, a partial rerun would be the whole build.
  if (own && stages.length > 1) {
    if (build.status !== 'success')
      parts.push({ label: 'Failed stages only', onSelect: () => again.run({ only: 'failed' }) })
    const note = stage && isDone(stage.status) ? oneStage(stage, stages) : null
    if (stage && note !== null)
      parts.push({ label: `${stage.name} only`, note, onSelect: () => again.run({ stage: stage.name }) })
  }
  return {
    busy: restart.busy,
    whole: { label: 'Restart', onSelect: () => restart.run() },
    parts,
    debug: { label: 'Debug', onSelect: () => debug.run() },
  }
}
