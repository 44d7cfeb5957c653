import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'

import { useCapability } from '../../api/capabilities.ts'
import { fixedQueryOf } from '../../api/own-client.ts'
import { useNow } from '../../browser/clock.ts'
import { formatDuration } from '../../lib/duration.ts'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { toneOf, type Tile, type TileBuild } from './tile.ts'

/** The progress of a running build, compared with its usual duration. */
function Progress({ build, usual }: { build: TileBuild; usual: number | undefined }) {
  const now = useNow('second')
  const seconds = Math.max(0, now - build.started)
  // Never full: a build that takes longer than usual is not finished.
  const part = usual ? Math.min(0.97, seconds / usual) : undefined
  return (
    <div className="wall-progress">
      <div
        role="progressbar"
        aria-label={`Progress of #${build.number}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={part === undefined ? undefined : Math.round(part * 100)}
        className="wall-bar"
      >
        <div style={{ width: `${(part ?? 1) * 100}%` }} data-unknown={part === undefined} />
      </div>
      <span className="tabular-nums">
        {formatDuration(seconds)}
        {usual ? ` of ${formatDuration(usual)}` : ''}
      </span>
    </div>
  )
}

/** Requests the usual duration, once for each running build. */
function AskingProgress({ tile, build }: { tile: Tile; build: TileBuild }) {
  const own = useCapability('usual_times')
  const { data } = useQuery({
    ...fixedQueryOf('getUsualTimes', tile.namespace, tile.name, build.number),
    enabled: own && tile.href !== undefined,
  })
  return <Progress build={build} usual={build.usual ?? data?.build?.median} />
}

function About({ tile, build }: { tile: Tile; build: TileBuild }) {
  const tone = toneOf(tile)
  if (build.status === 'running' && build.started > 0) return <AskingProgress tile={tile} build={build} />
  const text = build.why || build.title
  return <p className={`wall-why ${tone === 'danger' ? 'font-medium' : 'text-muted'}`}>{text}</p>
}

function Content({ tile }: { tile: Tile }) {
  const { build, namespace, name } = tile
  return (
    <>
      <div className="wall-line">
        {build && (
          <span aria-hidden="true" className="wall-icon">
            <StatusIcon status={build.status} size={32} />
          </span>
        )}
        <span className="wall-word">{build ? build.status.replaceAll('_', ' ') : 'no builds'}</span>
        {build && <RelativeTime seconds={build.finished || build.created} short className="wall-age text-muted" />}
      </div>
      <h2 className="wall-name">
        <span className="text-muted">{namespace}/</span>
        <wbr />
        {name}
      </h2>
      {build && (
        <>
          <p className="wall-facts text-muted">
            {[`#${build.number}`, build.branch, build.author].filter(Boolean).join(' · ')}
          </p>
          <About tile={tile} build={build} />
        </>
      )}
    </>
  )
}

/** One repository of the wall, scaled by the wall's font size. */
export const TileView = memo(function TileView({ tile }: { tile: Tile }) {
  const tone = toneOf(tile)
  return (
    <li className="wall-item">
      {tile.href === undefined ? (
        <div className="wall-tile" data-tone={tone}>
          <Content tile={tile} />
        </div>
      ) : (
        <Link href={tile.href} className="wall-tile" data-tone={tone}>
          <Content tile={tile} />
        </Link>
      )}
    </li>
  )
})
