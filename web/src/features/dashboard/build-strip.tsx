import { iconGroup, type IconGroup, type LastBuild, type Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { useState, type KeyboardEvent, type MouseEvent } from 'react'

import { lastBuildsQuery } from '../../api/last-builds.ts'
import { useNow } from '../../browser/clock.ts'
import { useNavigation } from '../../browser/navigation.tsx'
import { paths } from '../../lib/paths.ts'
import { linesOf, maxBuilds, summaryOf } from './last-builds.ts'

/** In pixels. */
const barWidth = 5
const pitch = 7
const width = maxBuilds * pitch - (pitch - barWidth)
const height = 20

/**
 * Failed builds are the tallest, and builds that did not finish are short, so that the strip is
 * readable without colors.
 */
const looks: Record<IconGroup, { colour: string; tall: number; hollow?: true }> = {
  cross: { colour: 'text-danger', tall: height },
  tick: { colour: 'text-success', tall: 10 },
  circle: { colour: 'text-warning', tall: 10, hollow: true },
  dash: { colour: 'text-inert', tall: 3 },
}

/** `place`: the position from the right; the newest build is the last. */
function Bar({ build, place, isShown }: { build: LastBuild; place: number; isShown: boolean }) {
  const { colour, tall, hollow } = looks[iconGroup(build.status)]
  const inset = hollow ? 0.75 : 0
  return (
    <rect
      className={colour}
      x={place * pitch + inset}
      y={(height - tall) / 2 + inset}
      width={barWidth - 2 * inset}
      height={tall - 2 * inset}
      rx={1}
      fill={hollow ? 'none' : 'currentColor'}
      stroke={hollow ? 'currentColor' : 'none'}
      strokeWidth={1.5}
      opacity={isShown ? 1 : 0.85}
    />
  )
}

/** To the left of the strip and as high as its row, which clips the rest. */
function Details({ build }: { build: LastBuild }) {
  const { title, facts } = linesOf(build, useNow('minute'))
  return (
    <span
      role="status"
      className="pointer-events-none absolute right-full z-10 mr-2 w-max max-w-80 rounded-md bg-ink px-2 py-0.5 text-xs text-canvas"
    >
      <span className="block truncate font-medium">{title}</span>
      <span className="block truncate">{facts}</span>
    </span>
  )
}

/** The new position after a key; undefined for other keys. */
const moved = (key: string, place: number, first: number): number | undefined => {
  const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: first, End: maxBuilds - 1 }[key]
  return to === undefined ? undefined : Math.min(Math.max(to, first), maxBuilds - 1)
}

function Strip({ repo, builds }: { repo: Repo; builds: readonly LastBuild[] }) {
  const { navigate } = useNavigation()
  const [place, setPlace] = useState<number>()
  const first = maxBuilds - builds.length
  const shown = place === undefined ? undefined : builds[maxBuilds - 1 - place]
  const placeAt = ({ clientX, currentTarget }: MouseEvent): number => {
    const { left } = currentTarget.getBoundingClientRect()
    return Math.min(Math.floor((clientX - left) / pitch), maxBuilds - 1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && shown) {
      event.stopPropagation()
      setPlace(undefined)
      return
    }
    const to = moved(event.key, place ?? maxBuilds - 1, first)
    if (to === undefined) return
    event.preventDefault()
    setPlace(to)
  }
  return (
    <span className="relative flex h-full items-center">
      <button
        type="button"
        aria-label={summaryOf(builds)}
        className="flex h-full items-center rounded-sm -outline-offset-2 touch:pointer-events-none"
        onPointerMove={(event) => setPlace(placeAt(event))}
        onPointerLeave={() => setPlace(undefined)}
        onFocus={(event) => {
          if (event.currentTarget.matches(':focus-visible')) setPlace(maxBuilds - 1)
        }}
        onBlur={() => setPlace(undefined)}
        onKeyDown={onKeyDown}
        onClick={() => {
          if (shown) navigate(paths.build(repo.namespace, repo.name, shown.number), { via: 'follow' })
        }}
      >
        <svg aria-hidden="true" width={width} height={height}>
          {builds.map((build, index) => (
            <Bar key={build.number} build={build} place={maxBuilds - 1 - index} isShown={build === shown} />
          ))}
        </svg>
      </button>
      {shown && <Details build={shown} />}
    </span>
  )
}

/**
 * The last twelve builds of a repository, the newest on the right. A click opens the build under
 * the pointer, Enter the one selected with the arrow keys.
 */
export function BuildStrip({ repo }: { repo: Repo }) {
  const { data } = useQuery(lastBuildsQuery(repo))
  if (!data || data.length === 0) return null
  return <Strip repo={repo} builds={data.slice(0, maxBuilds)} />
}
