import { iconGroup, type IconGroup } from '@flightdeck/api'

import { cx } from './class-names.ts'

/**
 * Each shape on a 16 × 16 grid. Circles: running is an arc that turns, the others are a ring with a
 * dot.
 */
const shapes: Record<IconGroup, string> = {
  cross: 'M5.25 5.25l5.5 5.5M10.75 5.25l-5.5 5.5',
  dash: 'M4.75 8h6.5',
  tick: 'M4.75 8.4l2.2 2.2 4.3-4.8',
  circle: '',
}

const colours: Record<IconGroup, string> = {
  cross: 'text-danger',
  dash: 'text-inert',
  circle: 'text-warning',
  tick: 'text-success',
}

function Circle({ running }: { running: boolean }) {
  return running ? (
    <>
      <circle cx="8" cy="8" r="6.25" strokeOpacity="0.3" />
      <path d="M8 1.75A6.25 6.25 0 0 1 14.25 8" />
    </>
  ) : (
    <>
      <circle cx="8" cy="8" r="6.25" strokeDasharray="3.1 1.81" />
      <circle cx="8" cy="8" r="1.5" fill="currentColor" stroke="none" />
    </>
  )
}

/**
 * The shape, color and name of a status (specification §4, "Icon groups"); the raw status is its
 * accessible name. A class replaces its color.
 */
export function StatusIcon({ status, size = 16, className }: { status: string; size?: number; className?: string }) {
  const group = iconGroup(status)
  return (
    <svg
      role="img"
      aria-label={status}
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      // Rotates the whole image, not a part of it: browsers animate only that without the main
      // thread.
      className={cx('shrink-0', status === 'running' && 'animate-turn', className ?? colours[group])}
    >
      <title>{status}</title>
      {group === 'circle' ? (
        <Circle running={status === 'running'} />
      ) : (
        <>
          <circle cx="8" cy="8" r="7" fill="currentColor" fillOpacity="0.14" stroke="none" />
          <path d={shapes[group]} />
        </>
      )}
    </svg>
  )
}
