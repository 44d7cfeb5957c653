/**
 * Reorders the error lines where the rules are too coarse: after the first one, and where no rule
 * recognized the diagnosis. It uses only the form of a line.
 *
 * The points were fitted (pairwise, logistic) on failures unknown to the rules of that time, and
 * tested on tools excluded from the fit: docs/decisions/cause.md. They use the scale of the rules,
 * where ten is a lot.
 */
interface Ranked {
  line: number
  text: string
  reason: string
  score: number
}

/** The number of first lines to reorder. */
const maxReordered = 8
/** A first line with at least this score was recognized by a rule and stays first. */
const minKnownScore = 60
/** Matches of the same rule whose scores differ by at most this stay in the order of the log. */
const maxAlikeGap = 12

/** Patterns for the form of a line, with the points for each. */
const forms: readonly { points: number; pattern: RegExp }[] = [
  // The compared values.
  {
    points: 19,
    pattern: /\b(?:expected|actual|received|got|found|but was|want|left|right|evaluated)\b\s{0,4}:?\s{0,4}\S/i,
  },
  // Says what is wrong, not only that something is.
  {
    points: 11,
    pattern:
      /\b(?:not found|no such|can ?not|can't|could ?n[o']t|unable|does not|did not|doesn't|do not|is not|was not|are not|isn't|undefined|undeclared|unknown|missing|unexpected|invalid|denied|refused|forbidden|already|timed? ?out|exceed\w{0,20}|mismatch|unresolved|unused|required|incompatible|violates|conflict\w{0,20}|expired|duplicate|too many|must|no \w{1,30} (?:in|for|found|named|matching)|lacks?|never|without|instead of|unreachable|locked)\b/i,
  },
  // A quoted name.
  { points: 11, pattern: /'[^'\s][^']{0,80}'|"[^"\s][^"]{0,80}"|`[^`\s][^`]{0,80}`|‘[^’]{1,80}’|“[^”]{1,80}”/ },
  // A summary: `2 errors`, `some tests`.
  {
    points: -18,
    pattern:
      /(?:^|\s|\()(?:\d{1,9}|one|an?|some|all|several) (?:\w{1,30} ){0,2}(?:errors?|problems?|warnings?|tests?|files?|failures?|issues?|offenses|violations?|specs?|examples?|suites?|checks?|tasks?|messages?)\b/i,
  },
  // The message follows below.
  { points: -6, pattern: /:\s*$/ },
  // Three words or fewer.
  { points: -4, pattern: /^\s*\S+(?:\s+\S+){0,2}\s*$/ },
]

/** Lines with a lower score are about an expected failure, so their form adds nothing. */
const minFormScore = 30

/** The penalty for a line with the same score as an earlier one. */
const tiePenalty = -14
/** The penalty for a line that starts like an earlier one. */
const repetitionPenalty = -4

/** The first words of a line, without names and numbers. */
const beginning = (text: string): string =>
  text
    .replace(/'[^']*'|"[^"]*"|`[^`]*`/g, 'Q')
    .trim()
    .split(/\s+/)
    .slice(0, 3)
    .map((word) => (/[\\/.]/.test(word) ? 'P' : word.replace(/\d+/g, '0')))
    .join(' ')

/** Adds the points for each line's form to its score. */
const withForm = <T extends Ranked>(lines: readonly T[]): T[] => {
  const begins = lines.map(({ text }) => beginning(text))
  return lines.map((one, place) => {
    const isTie = lines.slice(0, place).some(({ score }) => score === one.score)
    const isAgain = lines.some(({ line }, other) => line < one.line && begins[other] === begins[place])
    const points = forms.reduce((sum, form) => sum + (form.pattern.test(one.text) ? form.points : 0), 0)
    // Command output is not a diagnosis.
    const counted =
      one.reason === 'command' || (one.score < minFormScore && one.reason !== 'end') ? Math.min(0, points) : points
    return { ...one, score: one.score + counted + (isTie ? tiePenalty : 0) + (isAgain ? repetitionPenalty : 0) }
  })
}

/**
 * Whether the lines are of different kinds and not adjacent. Last lines count as different kinds.
 */
const isOther = (line: Ranked, than: Ranked): boolean =>
  (line.reason !== than.reason || line.reason === 'end') && Math.abs(line.line - than.line) > 1

/**
 * If the first two lines are wrong, a similar third one is wrong as well: the third is the best
 * line of a different kind.
 */
const withOther = <T extends Ranked>(lines: readonly T[]): T[] => {
  const [first, second, ...rest] = lines
  if (!first || !second) return [...lines]
  const third = rest.find((line) => isOther(line, first) && isOther(line, second))
  return third ? [first, second, third, ...rest.filter((line) => line !== third)] : [...lines]
}

/** Sorts lines for display; the input is sorted by rule weight. */
export const inOrder = <T extends Ranked>(ranked: readonly T[]): T[] => {
  const [first] = ranked
  if (!first) return []
  const lines = ranked.slice(0, maxReordered)
  const formed = withForm(lines)
  lines.forEach((line, place) => {
    for (const [before, earlier] of lines.slice(0, place).entries()) {
      const isAlike =
        earlier.reason === line.reason && earlier.line < line.line && earlier.score - line.score <= maxAlikeGap
      const [mine, its] = [formed[place], formed[before]]
      if (isAlike && mine && its) mine.score = Math.min(mine.score, its.score - 0.01)
    }
  })
  const order = formed.toSorted((a, b) => b.score - a.score || a.line - b.line)
  const isKnown = first.score >= minKnownScore
  const named = isKnown ? [first.line, ...order.map(({ line }) => line)] : order.map(({ line }) => line)
  const byLine = new Map(lines.map((line) => [line.line, line]))
  const reordered = [...new Set(named)].flatMap((line) => byLine.get(line) ?? [])
  return withOther([...reordered, ...ranked.slice(maxReordered)])
}
