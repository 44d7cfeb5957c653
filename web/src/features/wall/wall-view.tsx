import { Maximize, Pause, Play } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'

import { useKeys } from '../../browser/use-keys.ts'
import { useResize } from '../../browser/use-resize.ts'
import { plural } from '../../lib/text.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Clock } from './clock.tsx'
import { capacityOf, layoutOf } from './layout.ts'
import { countsOf, inOrder, type Tile } from './tile.ts'
import { TileView } from './tile-view.tsx'
import { usePages } from './use-pages.ts'
import './wall.css'

export interface WallViewProps {
  title: string
  tiles: readonly Tile[]
  /** The tiles can be outdated. */
  lost: boolean
  /** Buttons for a viewer who can change the wall. */
  actions?: ReactNode
  /** Shown instead of the tiles. */
  children?: ReactNode
}

function Counts({ tiles }: { tiles: readonly Tile[] }) {
  const { failing, waiting, running } = countsOf(tiles)
  const words = [
    ...(failing > 0 ? [{ text: `${failing} failing`, look: 'text-danger' }] : []),
    ...(waiting > 0 ? [{ text: `${waiting} waiting`, look: 'text-warning' }] : []),
    ...(running > 0 ? [{ text: `${running} running`, look: 'text-warning' }] : []),
  ]
  return (
    <p role="status" className="flex min-w-0 gap-x-4 overflow-hidden font-semibold whitespace-nowrap lg:text-lg">
      {words.map(({ text, look }) => (
        <span key={text} className={look}>
          {text}
        </span>
      ))}
      {failing === 0 && <span className="text-success">{tiles.length > 0 ? 'Nothing is failing' : ''}</span>}
    </p>
  )
}

/** Switches the wall to full screen and back. */
const useFullScreen = () => {
  const ref = useRef<HTMLDivElement>(null)
  const toggle = (): void => {
    const change = document.fullscreenElement ? document.exitFullscreen() : ref.current?.requestFullscreen()
    // The browser can refuse, for example in a frame: then the wall stays as it is.
    change?.catch(() => undefined)
  }
  useKeys((key) => {
    if (key === 'f') toggle()
  })
  return { ref, toggle }
}

/** Tiles that fill the window, page by page if there are more than fit. */
export function WallView({ title, tiles, lost, actions, children }: WallViewProps) {
  const { ref, toggle } = useFullScreen()
  const room = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  useResize(room, ({ clientWidth: width, clientHeight: height }) => {
    if (width !== size.width || height !== size.height) setSize({ width, height })
  })
  const sorted = inOrder(tiles)
  const capacity = capacityOf(size.width, size.height)
  const count = Math.max(1, Math.ceil(sorted.length / capacity))
  const pages = usePages(count)
  const shown = sorted.slice(pages.page * capacity, (pages.page + 1) * capacity)
  const { columns, rows, font } = layoutOf(shown.length, size.width, size.height)
  return (
    <div ref={ref} className="wall" data-lost={lost}>
      <header className="wall-head">
        <h1 className="min-w-0 truncate text-xl font-semibold">{title}</h1>
        <Counts tiles={sorted} />
        <span className="wall-tools">
          {count > 1 && (
            <>
              <span className="whitespace-nowrap tabular-nums lg:text-lg">{`Page ${pages.page + 1} of ${count}`}</span>
              <IconButton
                label={pages.isPlaying ? 'Pause' : 'Continue'}
                hint={pages.isPlaying ? 'Stay on this page' : 'Next page every 15 seconds'}
                onClick={pages.toggle}
              >
                {pages.isPlaying ? (
                  <Pause className="size-5" aria-hidden="true" />
                ) : (
                  <Play className="size-5" aria-hidden="true" />
                )}
              </IconButton>
            </>
          )}
          {actions}
          <IconButton label="Full screen" hint="Full screen  f" onClick={toggle}>
            <Maximize className="size-5" aria-hidden="true" />
          </IconButton>
        </span>
        <Clock />
      </header>
      <div ref={room} className="wall-room">
        {children ?? (
          <ul
            aria-label={plural(sorted.length, 'repository', 'repositories')}
            className="wall-grid"
            style={{
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
              gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
              fontSize: `${font}px`,
            }}
          >
            {shown.map((tile) => (
              <TileView key={tile.slug} tile={tile} />
            ))}
          </ul>
        )}
        {lost && (
          <div role="alert" className="wall-lost">
            <p>Connection lost. Reconnecting…</p>
          </div>
        )}
      </div>
    </div>
  )
}
