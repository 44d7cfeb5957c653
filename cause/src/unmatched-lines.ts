/**
 * Ranks a program's last lines if no rule matches them: custom scripts print the cause in the
 * middle, in their own words, and then totals, cleanup or closing messages. It uses only the form
 * of a line, and how it differs from those around it.
 */

/** Negates or compares something. */
const says =
  /\b(?:no|not|never|nobody|none|nothing|neither|nowhere|without|only|cannot|gone|lost|lacks?|empty|stale|stuck|twice|instead|than|but|yet|still|already|both|another|wants?|wanted|needs?|needed|allowed|at (?:most|least)|max(?:imum)?|min(?:imum)?|limit|budget|over|under|above|below|beyond|exceed\w{0,8}|behind|outside|differs?|different|clash\w{0,8}|unlike|leaks?|changed|drift\w{0,8}|old|older|newer|refus\w{0,8}|reject\w{0,8}|because|why|denied|fell|falls|slower|late|larger|bigger|smaller|longer|shorter|fewer|less|more|unknown|taken|held|locked|dirty|frozen|closed|unsigned|unused|orphan\w{0,8}|odd|wrong|bad|broken)\b|n't\b| (?:!=+|<=?|>=?|->|=>|≠) |\s(?:[-–—?]|n\/a|null|undefined|NaN|\(none\)|\{\})\s*$/i

/** The titles of columns. */
const titles = /^\s*[^\s\d]{1,30}(?: {2,40}[^\s\d]{1,30}){2,8}\s*$/

/** Describes progress or cleanup. */
const doing =
  /^\W{0,6}(?:(?:step|attempt|try|round|stage|phase|task) \d|(?!nothing|missing|string|during|anything|something|everything|refusing|existing|failing|conflicting|dangling)[a-z]{2,12}ing\b|(?:stopped|removed|rolled back|undone|cleaned|deleted|restored|released|unlocked|closed|shut|saved|kept|wrote|written|uploaded|downloaded|loaded|read|created|started|connected|checked|generated|built|applied|copied|installed|fetched|sent|received|took|see|logs?|report|bye|goodbye|exit|using|version|digest:|status:)(?![\w-]))|: https?:\/\/\S{1,200}$/i

/** Reports success. */
const fine =
  /(?:\b(?:ok|okay|fine|good|passed|pass|done|up|ready|healthy|succeeded|success|successful|complete|completed|clean|same|unchanged|cached|found)|[✓✔√])\W{0,3}$|^\W{0,4}(?:ok|pass|passed|✓|✔|√)\b/i

/** Only counts: `5 files, 4 fine`, `1 of 2`, `total: 7`. */
const counts =
  /^\W{0,4}\d+ [a-z]+(?: [a-z]+)?(?: in \d.{0,20})?$|^\W{0,4}(?:(?:in )?total:? +\d|summary\b|results?\b|took\b|\d+ (?:of|out of|\/) \d+\b|\d+ \w+(?: \w+)?, (?:\d+|none|no|one|all)\b|\d+ (?:files?|checks?|rows?|tests?|cases?|lines?|pages?|changes?|items?|problems?|errors?|warnings?|failures?|violations?|findings?|mismatch\w*|differences?|broken|bad|failed|open|left)\b)/i

/** A single word or number. */
const single = /^\W{0,4}(?:[a-z]{2,20}|\d[\d.,]{0,20})\W{0,3}$/i

const points = { says: 12, doing: -14, fine: -12, counts: -12, odd: 9, usual: -7, single: -12 }

/**
 * How the first two numbers of a row compare: for example, a value is below its limit in all rows
 * but one.
 */
const signOf = (text: string): string => {
  const [first, second] = Array.from(text.matchAll(/(?<![\w.])\d{1,9}(?:\.\d{1,6})?/g), ([number]) => Number(number))
  return first === undefined || second === undefined ? '' : ` ${Math.sign(first - second)}`
}

/** The form of a line: `data/a.csv 1200 rows` is `P 0 w`. */
const skeletonOf = (text: string): string =>
  text
    .trim()
    .split(/\s+/)
    .slice(0, 9)
    .map((word) =>
      /[\\/]|\w\.\w/.test(word) && !/^[\d.]+$/.test(word)
        ? 'P'
        : word.replace(/\d+(?:\.\d+)?/g, '0').replace(/[A-Za-z_]\w{0,60}/g, 'w'),
    )
    .join(' ') + signOf(text)

/** `231 KiB of 200`, `412 ms / 300 ms`: a value and its limit. */
const share =
  /(?<![\d.])(\d{1,9}(?:\.\d{1,6})?) ?([a-z%]{0,5})(?: of |\/| \/ )(\d{1,9}(?:\.\d{1,6})?)(?![\d.]) ?([a-z%]{0,5})/i

/** Whether a value is above its limit. */
const isOver = (text: string): boolean => {
  const [, value = '', unit = '', limit = '', other = ''] = share.exec(text) ?? []
  return Number(value) > Number(limit) && limit !== '' && (unit === other || unit === '' || other === '')
}

/** The number of occurrences of each text. */
const countsOf = (of: readonly string[]): ReadonlyMap<string, number> => {
  const often = new Map<string, number>()
  for (const text of of) often.set(text, (often.get(text) ?? 0) + 1)
  return often
}

const maxCount = (often: ReadonlyMap<string, number>): number => Math.max(0, ...often.values())

/** The program's name, if most of the lines start with it: `verify: 120 articles`. */
const programPrefix = /^[\w./-]{1,40}: (?=\S)/
const withoutProgram = (texts: readonly string[]): readonly string[] => {
  const often = countsOf(texts.flatMap((text) => programPrefix.exec(text)?.[0] ?? []))
  const [name] = [...often].find(([, count]) => count > 2 && 2 * count > texts.length) ?? []
  return name === undefined ? texts : texts.map((text) => (text.startsWith(name) ? text.slice(name.length) : text))
}

const lastWord = /\S{1,80}$/

/**
 * Rows of the same form whose end differs from all others: `SENTRY_DSN -` among `REDIS_URL set`.
 */
const otherEnds = (texts: readonly string[], skeletons: readonly string[]): ReadonlySet<number> => {
  const rows = countsOf(skeletons)
  const many = maxCount(rows)
  const places = texts.flatMap((_, at) => (rows.get(skeletons[at] ?? '') === many ? [at] : []))
  const ends = places.map((at) => lastWord.exec(texts[at] ?? '')?.[0] ?? '')
  const often = countsOf(ends)
  const isClear = places.length > 2 && maxCount(often) >= places.length - 1
  return new Set(isClear ? places.filter((_, at) => often.get(ends[at] ?? '') === 1) : [])
}

/** The points that each of the last lines gains or loses compared with its position. */
export const pointsOf = (lines: readonly string[]): number[] => {
  const texts = withoutProgram(lines)
  const skeletons = texts.map(skeletonOf)
  const often = countsOf(skeletons)
  const isList = maxCount(often) > 1 && 2 * maxCount(often) >= texts.length - 1
  const others = otherEnds(texts, skeletons)
  const saying = texts.map((text) => (says.test(text) && !titles.test(text)) || isOver(text))
  // A feature that many lines share is not significant.
  const isSignificant = saying.filter(Boolean).length <= Math.max(2, texts.length / 2)
  return texts.map((text, at) => {
    const times = often.get(skeletons[at] ?? '') ?? 1
    const isSaying = isSignificant && saying[at] === true
    const isCount = counts.test(text)
    const isOther = others.has(at)
    const isUsual = isList && times === maxCount(often) && !isSaying && !isOther
    const isOdd = isList && (times === 1 || isOther) && !isCount
    return (
      (isUsual ? points.usual : 0) +
      (isOdd ? points.odd : 0) +
      (isSaying ? points.says : 0) +
      (isCount ? points.counts : 0) +
      (single.test(text) ? points.single : 0) +
      (doing.test(text) ? points.doing : 0) +
      (fine.test(text) ? points.fine : 0)
    )
  })
}
