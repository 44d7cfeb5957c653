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
    <div role="toolbar" aria-label="Zoom" className="flex shrink-0 items-center">
      <IconButton label="Zoom to fit" onClick={onFit}>
        <Maximize className={icon} aria-hidden="true" />
      </IconButton>
      <IconButton label="Reset zoom (100%)" onClick={() => onLevel(zoomReset)}>
        <RotateCcw className={icon} aria-hidden="true" />
      </IconButton>
      <IconButton label="Zoom out" onClick={() => onLevel(zoomOut(level))}>
        <Minus className={icon} aria-hidden="true" />
      </IconButton>
      <output aria-label="Zoom level" className="w-12 text-center text-sm text-muted tabular-nums max-md:hidden">
        {level}%
      </output>
      <IconButton label="Zoom in" onClick={() => onLevel(zoomIn(level))}>
        <Plus className={icon} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
