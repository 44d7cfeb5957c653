import { ServerClock } from './server-clock.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** For example `Nov 14, 2023`, in the viewer's time zone. Without `Intl`, see `formatDate`. */
export const formatDay = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  return `${months[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()}`
}

/**
 * The specification's format, for example `Nov 14, 2023, 10:13 PM`, in the viewer's time zone.
 * Without `Intl`: the first visit of a page shows a date, and the first use of `Intl` takes 12 to
 * 15 ms, four times that on a slow machine.
 */
export const formatDate = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  const hour = date.getHours()
  const minute = String(date.getMinutes()).padStart(2, '0')
  return `${formatDay(seconds)}, ${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
}

const server = new ServerClock()
const listeners = new Set<() => void>()

/** The current time of the server's clock, which build times are based on. */
export const nowSeconds = (): number => Math.floor((Date.now() + server.offset) / 1000)

/** Updates the clock from a response's `Date` header. */
export const noteServerTime = (date: string | null, sent: number, received: number): void => {
  const before = server.offset
  server.addResponse(date, sent, received, performance.now())
  // Differences of less than a second are invisible.
  if (Math.abs(server.offset - before) >= 1_000) for (const listener of listeners) listener()
}

/** Calls back when the server's time turns out to be different. */
export const onTimeSet = (listener: () => void): void => void listeners.add(listener)

const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const
const week = 7 * 86_400

/** `5 minutes ago`, up to a week; older times are absolute (design.md "Words"). */
export const formatRelative = (seconds: number, now: number): string => {
  const age = Math.max(0, now - seconds)
  if (age >= week) return formatDate(seconds)
  for (const { unit, seconds: size } of units) {
    const count = Math.floor(age / size)
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}

const short = { day: 'd', hour: 'h', minute: 'min' } as const

/** `5 min ago`: a short form, for any age. */
export const formatAge = (seconds: number, now: number): string => {
  const age = Math.max(0, now - seconds)
  for (const { unit, seconds: size } of units) {
    const count = Math.floor(age / size)
    if (count > 0) return `${count} ${short[unit]} ago`
  }
  return 'just now'
}
