/** The timeout choices of a repository (specification §9, readings "Dialogs and settings"). */
import { plural } from '../../lib/text.ts'

export const timeoutMinutes = [
  15, 30, 60, 90, 120, 180, 240, 300, 360, 420, 480, 540, 600, 660, 720, 1080, 1440, 2880, 4320,
] as const

/** Above 90 minutes as hours and remaining minutes, otherwise as minutes. */
export const timeoutLabel = (minutes: number): string => {
  if (minutes <= 90) return plural(minutes, 'minute')
  const hours = plural(Math.floor(minutes / 60), 'hour')
  const rest = minutes % 60
  return rest === 0 ? hours : `${hours} ${plural(rest, 'minute')}`
}

export interface Choice {
  value: string
  label: string
}

/**
 * The choices in the order given. A value that another client has set is kept as one more choice at
 * the end.
 */
export const timeoutChoices = (current: number): Choice[] => {
  const known: readonly number[] = timeoutMinutes
  const minutes = known.includes(current) || current <= 0 ? known : [...known, current]
  return minutes.map((value) => ({ value: String(value), label: timeoutLabel(value) }))
}

/** Repositories that were never enabled have 0; the server's default is an hour (docs/api §1.3). */
export const timeoutOrDefault = (minutes: number): number => (minutes > 0 ? minutes : 60)
