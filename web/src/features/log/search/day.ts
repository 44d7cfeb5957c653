const [short, long] = [
  { month: 'short', day: 'numeric' } as const,
  { month: 'short', day: 'numeric', year: 'numeric' } as const,
]
const format = { short: new Intl.DateTimeFormat('en-US', short), long: new Intl.DateTimeFormat('en-US', long) }

/** `Nov 2`, with the year if it is not this year; in the user's time zone. */
export const formatDay = (seconds: number, now = new Date()): string => {
  const day = new Date(seconds * 1000)
  return (day.getFullYear() === now.getFullYear() ? format.short : format.long).format(day)
}
