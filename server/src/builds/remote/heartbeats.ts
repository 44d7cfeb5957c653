/**
 * Heartbeats. A runner has no permanent connection and sends its name only once; but while it has a
 * stage it reports, sends lines, or watches the build. A watch request has the build, not the
 * stage: it counts for the stages of that build at the same address, and for all of them if the
 * address is new.
 */
export interface Heartbeats {
  /** A call about this stage. */
  record(stage: StageOfBuild, address: string): void
  /** Registers an open watch request; returns the function that removes it. */
  watching(buildId: number, address: string): () => void
  /** Milliseconds since the last heartbeat. For an unknown stage, now counts as its first. */
  silenceMs(stage: StageOfBuild): number
  /** Keeps these only. */
  forgetOthers(stages: readonly StageOfBuild[]): void
  /** No heartbeat could arrive in the meantime. */
  excuseAll(): void
}

interface StageOfBuild {
  id: number
  build_id: number
}
interface Signs {
  last: number
  addresses: Set<string>
}
interface Watch {
  open: number
  last: number
}

export function createHeartbeats(now: () => number = () => performance.now()): Heartbeats {
  const stages = new Map<number, Signs & { buildId: number }>()
  /** By build, then by address. */
  const watches = new Map<number, Map<string, Watch>>()

  function signsOf({ id, build_id: buildId }: StageOfBuild): Signs {
    const existing = stages.get(id)
    if (existing) return existing
    const signs = { last: now(), addresses: new Set<string>(), buildId }
    stages.set(id, signs)
    return signs
  }
  const isKnown = (buildId: number, address: string): boolean =>
    [...stages.values()].some((signs) => signs.buildId === buildId && signs.addresses.has(address))

  return {
    record(stage, address) {
      const signs = signsOf(stage)
      signs.last = now()
      signs.addresses.add(address)
    },
    watching(buildId, address) {
      const ofBuild = watches.get(buildId) ?? new Map<string, Watch>()
      watches.set(buildId, ofBuild)
      const watch = ofBuild.get(address) ?? { open: 0, last: now() }
      ofBuild.set(address, watch)
      watch.open += 1
      return () => {
        watch.open -= 1
        watch.last = now()
      }
    },
    silenceMs(stage) {
      const signs = signsOf(stage)
      let last = signs.last
      for (const [address, watch] of watches.get(stage.build_id) ?? []) {
        if (!signs.addresses.has(address) && isKnown(stage.build_id, address)) continue
        last = Math.max(last, watch.open > 0 ? now() : watch.last)
      }
      return now() - last
    },
    forgetOthers(unfinished) {
      const ids = new Set(unfinished.map(({ id }) => id))
      const builds = new Set(unfinished.map((stage) => stage.build_id))
      for (const id of stages.keys()) if (!ids.has(id)) stages.delete(id)
      for (const [id, ofBuild] of watches) {
        if (!builds.has(id) && ![...ofBuild.values()].some((watch) => watch.open > 0)) watches.delete(id)
      }
    },
    excuseAll() {
      for (const signs of stages.values()) signs.last = now()
    },
  }
}
