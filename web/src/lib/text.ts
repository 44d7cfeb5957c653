import { firstLine } from '@flightdeck/api'

/** Without `Intl`, whose first use takes 12 to 15 ms, four times that on a slow machine. */
const grouped = (value: number): string =>
  value < 1_000 || value === Infinity
    ? String(value)
    : `${grouped(Math.floor(value / 1_000))}\u2009${String(value % 1_000).padStart(3, '0')}`

/** Thin spaces as separators above 9,999 (design.md "Words"). For counts: integers from 0. */
export const formatNumber = (value: number): string => (value > 9_999 ? grouped(value) : String(value))

/**
 * A count with its noun: `1 step`, `12 steps`. `pluralForm`: if it is not formed with an s.
 */
export const plural = (count: number, singular: string, pluralForm = `${singular}s`): string =>
  `${formatNumber(count)} ${count === 1 ? singular : pluralForm}`

/** Words as a sentence: `ada, bob and cleo`. */
export const listOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`

/** A visible character: not a space, control character or combining mark. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Z}\p{M}]/u

/** "Title where there is one, else the message's first line" (readings, "Repository"). */
export const buildTitle = (build: { title?: string | undefined; message?: string | undefined }): string =>
  [build.title?.trim(), firstLine(build.message ?? '')].find((text) => text && visible.test(text)) ?? ''
