/** What is said of running one stage again before anybody presses (issue 16, point 4). */
import { stageAgain, type Stage } from '@flightdeck/api'

import { namesOf } from './taken-over.ts'

const verb = (names: readonly string[], one: string, more: string): string =>
  `${namesOf(names)} ${names.length === 1 ? one : more}`

/** Null where it cannot run; else what runs besides, the empty text if nothing does. */
export function oneStage(stage: Stage, all: readonly Stage[]): string | null {
  const part = stageAgain(all, all, stage)
  if (!part) return null
  const passed = part.needed.some((name) => all.find((one) => one.name === name)?.status === 'success')
  const why = passed ? '' : part.needed.length === 1 ? ': it did not pass' : ': they did not pass'
  return [
    part.needed.length > 0 && `${verb(part.needed, 'runs', 'run')} first${why}`,
    part.after.length > 0 && verb(part.after, 'follows', 'follow'),
  ]
    .filter((text) => text !== false)
    .join('; ')
}
