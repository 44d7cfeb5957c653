/** The content and the order of the wall's tiles. Pure. */
import { iconGroup, type Build, type Repo } from '@flightdeck/api'

import { paths } from '../../lib/paths.ts'
import { shownStatus } from '../../lib/reason.ts'
import { buildTitle } from '../../lib/text.ts'
import { actorOf } from '../../lib/actor.ts'

export interface TileBuild {
  number: number
  /** As the page shows it: `blocked` while waiting for approval. */
  status: string
  title: string
  branch: string
  author: string
  /** Unix seconds, like the other times. */
  created: number
  started: number
  finished: number
  /** The failure or waiting reason in one line; empty if unknown. */
  why: string
  /** The usual duration of such a build in seconds, if known. */
  usual?: number
}

export interface Tile {
  slug: string
  namespace: string
  name: string
  /** Present if the viewer can open it. */
  href?: string
  build?: TileBuild
}

const tileBuild = (build: Build, why: string): TileBuild => ({
  number: build.number,
  status: shownStatus(build),
  title: buildTitle(build),
  branch: build.target,
  author: actorOf(build).login,
  created: build.created,
  started: build.started,
  finished: build.finished,
  why,
})

/** `why`: the reason, if known. */
export const tileOf = (repo: Repo, why: string): Tile => {
  const { slug, namespace, name, build } = repo
  return {
    slug,
    namespace,
    name,
    href: build ? paths.build(namespace, name, build.number) : paths.repo(namespace, name),
    ...(build && { build: tileBuild(build, why) }),
  }
}

export type Tone = 'danger' | 'warning' | 'success' | 'inert'
const tones = { cross: 'danger', circle: 'warning', tick: 'success', dash: 'inert' } as const

export const toneOf = ({ build }: Tile): Tone => (build ? tones[iconGroup(build.status)] : 'inert')

/**
 * Failed builds first, then those that wait for a user, then running and queued ones, then the
 * rest.
 */
const rankOf = ({ build }: Tile): number => {
  if (!build) return 5
  const group = iconGroup(build.status)
  if (group === 'cross') return 0
  if (group === 'circle') return build.status === 'blocked' ? 1 : 2
  return group === 'tick' ? 3 : 4
}

/** Sorted by name within a rank, so that tiles do not move without a reason. */
export const inOrder = (tiles: readonly Tile[]): Tile[] =>
  tiles.toSorted((first, second) => rankOf(first) - rankOf(second) || (first.slug < second.slug ? -1 : 1))

export interface Counts {
  failing: number
  waiting: number
  running: number
}

export const countsOf = (tiles: readonly Tile[]): Counts => {
  const ranks = tiles.map(rankOf)
  const count = (rank: number): number => ranks.filter((other) => other === rank).length
  return { failing: count(0), waiting: count(1), running: count(2) }
}

/** The repositories shown without a selection: active ones with a build. */
export const isShownByDefault = ({ active, build }: Repo): boolean => active && build !== undefined
