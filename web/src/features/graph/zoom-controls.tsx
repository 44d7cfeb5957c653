import { Maximize, Minus, Plus, RotateCcw } from 'lucide-react'

import { zoomIn, zoomOut, zoomReset } from './layout/zoom.ts'
import { IconButton } from '../../ui/icon-button.tsx'

export interface ZoomControlsProps {
  level: number
  onLevel: (level: number) => void
  onFit: () => void
}

const icon = 'size-4'

export function ZoomControls({ level, onLevel, onFit }: ZoomControlsProps) {
  return (
    <div
      role="toolbar"
      aria-label="Zoom"
      className="absolute bottom-3 left-3 z-10 flex items-center rounded-md border border-line bg-surface"
    >
      <IconButton label="Zoom to fit" side="top" onClick={onFit}>
        <Maximize className={icon} aria-hidden="true" />
      </IconButton>
      <IconButton label="Reset zoom (100%)" side="top" onClick={() => onLevel(zoomReset)}>
        <RotateCcw className={icon} aria-hidden="true" />
      </IconButton>
      <IconButton label="Zoom out" side="top" onClick={() => onLevel(zoomOut(level))}>
        <Minus className={icon} aria-hidden="true" />
      </IconButton>
      <output aria-label="Zoom level" className="w-12 text-center text-sm text-muted tabular-nums">
        {level}%
      </output>
      <IconButton label="Zoom in" side="top" onClick={() => onLevel(zoomIn(level))}>
        <Plus className={icon} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
