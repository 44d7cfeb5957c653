/** Orders the last lines of a program: as a list below its heading, or by their form. */
import { pointsOf } from './unmatched-lines.ts'
import { drawn, listing, place as isPlace } from './rules/blocks.ts'
import { ruleOf } from './rules/index.ts'
import { unwrap } from './rules/unwrap.ts'
import { withoutProgram } from './program-prefix.ts'

export interface End {
  line: number
  text: string
  reason: string
  score: number
}

/** A diff. */
const difference = /^@@ -|^--- \S/
const item = /^\s+\S|^[-*•·–] \S/
const inList = 0.2

/**
 * By how much a line must beat the last one, by form, to be placed before it; more with distance.
 */
const minMore = 11
const farther = 0.4
/** The penalty for the last line in that case. */
const overtakenPenalty = 9
/** The maximum score of the other lines by form. */
const maxOfForm = 8

/** The first of adjacent lines with equal scores. */
const firstAlike = (ends: readonly End[], forms: readonly number[], from: number): number => {
  let place = from
  while (
    ends[place + 1]?.line === (ends[place]?.line ?? 0) - 1 &&
    (forms[place + 1] ?? 0) >= Math.max(minMore, forms[from] ?? 0)
  )
    place++
  return place
}

/** Moves the line with the best form to the front, if it beats the last one clearly. */
const byForm = (ends: readonly End[]): End[] => {
  const [last] = ends
  if (!last || ends.some(({ text }) => difference.test(text))) return [...ends]
  const texts = ends.map(({ text }) => unwrap(withoutProgram(text)))
  const forms = pointsOf(texts)
  const isOpen = (forms[0] ?? 0) < 0
  const points = forms.map((formPoints, place) =>
    place === 0 || isWords(texts[place] ?? '', isOpen)
      ? formPoints - farther * (last.line - (ends[place]?.line ?? 0))
      : -Infinity,
  )
  const top = points.reduce((best, value, place) => (value > (points[best] ?? 0) ? place : best), 0)
  const best = firstAlike(ends, forms, top)
  const isMore = (points[best] ?? 0) >= (points[0] ?? 0) + minMore
  return ends.map((end, place) => {
    if (place === 0) return { ...end, score: isMore ? last.score - overtakenPenalty : last.score }
    if (place === best && isMore) return { ...end, score: last.score }
    return { ...end, score: end.score + Math.max(0, Math.min(maxOfForm, points[place] ?? 0)) }
  })
}

/** Whether a line can be a program's own message. */
const isWords = (text: string, isIndented: boolean): boolean =>
  (isIndented || !/^\s/.test(text)) &&
  !/^\s*[=>$|] /.test(text) &&
  !listing.test(text) &&
  !drawn.test(text) &&
  !isPlace.test(text) &&
  ruleOf(text)?.isSoft !== true

/**
 * If the last lines are a list below a heading, the heading and its first entry are more relevant
 * than the last line.
 */
const asList = (ends: readonly End[]): readonly End[] => {
  const [last] = ends
  if (!last || !item.test(last.text)) return ends
  const top = ends.findIndex(({ line, text }, at) => line !== last.line - at || !item.test(text))
  const [first, heading] = [ends[top - 1], ends[top]]
  if (!first || heading?.line !== first.line - 1 || !heading.text.trimEnd().endsWith(':')) return ends
  const scores = new Map([
    [first, last.score + inList],
    [heading, last.score + inList / 2],
  ])
  return ends.map((end) => ({ ...end, score: scores.get(end) ?? end.score }))
}

/**
 * The last lines with their weights, last first. If they are not a list, their form decides which
 * come first.
 */
export const inTheirOrder = (ends: readonly End[]): readonly End[] => {
  const list = asList(ends)
  return list === ends ? byForm(ends) : list
}
