/** Dates in the specification's one form, such as `Nov 14, 2023, 10:13 PM`, in the viewer's time zone. */
const dateTime = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
})

/** Newer engines put a narrow no-break space before AM and PM; the text is promised with a plain one. */
export const formatDate = (seconds: number): string => dateTime.format(seconds * 1000).replaceAll('\u202F', ' ')

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const
const week = 7 * 86_400

/** `5 minutes ago`, up to a week; older moments are told absolutely (design.md "Words"). */
export const formatRelative = (seconds: number, now: number): string => {
  const age = Math.max(0, now - seconds)
  if (age >= week) return formatDate(seconds)
  for (const { unit, seconds: size } of units) {
    const count = Math.floor(age / size)
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}
