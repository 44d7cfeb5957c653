/**
 * Rules for the error messages of tools. Each row has a kind, a weight (0 to 100), and a pattern
 * for the plain line. The first match wins. Summaries ("2 failed", "Error 1") show that something
 * failed, not what.
 */

import { empty } from './blocks.ts'
import { diagnoses } from './diagnoses.ts'
import { general } from './general.ts'
import { advice, columns, falsePositive, mute, passed, soft } from './false-positives.ts'
import { openings } from './openings.ts'
import type { Rule } from './rule.ts'
import { beforeSum, sums, sumsOfAny } from './sums.ts'
import { toolOpenings } from './tool-openings.ts'
import { unwrap, withoutLabel } from './unwrap.ts'
import { tools } from './tools.ts'

const first: readonly Rule[] = [...toolOpenings, ...openings, ...sums]
const others: readonly Rule[] = [...diagnoses, ...tools, ...general]

/** Rules that also apply to warnings if warnings count as errors. */
const findings = others.filter(({ ofPlaces, reason }) => ofPlaces === true || reason === 'reason')

export interface RuleMatch {
  rule: Rule
  reason: string
  weight: number
  /** The weight is reduced, because the line describes an expected failure. */
  isSoft?: boolean
}

/** The penalty for a line about an expected failure. */
const expectedPenalty = 32

/** The penalty for a line that only announces a diagnosis. */
const announcementPenalty = 16

/** The weight of a warning; it matters only if there is nothing else. */
const warningWeight = 24
/** Any other warning; it only matters if warnings count as errors. */
const warns: Rule = { reason: 'warning', weight: 66, pattern: /^/ }
const warnsOfWrong: Rule = { ...warns, weight: 68 }
const minWarned = 4
const warning = /^\W{0,3}warn(?:ing)?\b\W{1,4}/i

/** Describes progress and has one error word in what it is about. */
const progress =
  /^\W{0,6}(?!Missing|Nothing|Failing|Aborting|Warning|Re(?:jec|fus)|Stopping|Giving|Killing|Breaking|Conflict|Exiting|Terminating|Bailing|Something|Everything|String|Existing)[A-Z][a-z]{2,12}ing\b/
const minOfProgress = 50
/** From this weight on, a rule does not match column titles. */
const minKnown = 60

/** Quoted text is a name. */
const names = /`[^`]*`|'[\w./@:-]*'|"[\w./@:-]*"/g

/** `checking the names ...`: progress. */
const inProgress = /\w ?(?:\.{3}|…)\s*$/
const minExplained = 72

/** `1. The plugin is not defined`: one of several things that may be the reason. */
const possible = /^\s*[1-9]\. [A-Z"']/
const possiblePenalty = 8

/** The maximum position of the words that make a failure expected. */
const maxSoftPosition = 160

/** The penalty for a line whose prefix may not be a program. */
const prefixPenalty = 2

const matched = (text: string): RuleMatch | undefined => {
  if (falsePositive.test(text)) return undefined
  const withoutCount = text.replace(beforeSum, '')
  const rule =
    first.find(({ pattern }) => pattern.test(text)) ??
    sumsOfAny.find(({ pattern }) => pattern.test(withoutCount)) ??
    others.find(({ pattern }) => pattern.test(text))
  if (!rule || (rule.weight < minKnown && columns.test(text))) return undefined
  const isSoft =
    rule.opens === undefined && rule.weight < 90 && soft.test(text.slice(0, maxSoftPosition).replace(names, ''))
  const less =
    (rule.weight < minOfProgress && progress.test(text) ? expectedPenalty / 2 : 0) +
    (rule.weight < minExplained && inProgress.test(text) ? announcementPenalty : 0) +
    (isSoft ? expectedPenalty : 0) +
    (rule.weight < 80 && possible.test(text) ? possiblePenalty : 0) +
    (rule.reason !== 'pytest' && empty.test(text) ? announcementPenalty : 0) +
    (rule.weight < 80 && advice.test(text) ? expectedPenalty : 0)
  return { rule, reason: rule.reason, weight: Math.max(1, rule.weight - less), isSoft }
}

/** The rule that matches a line. */
export const ruleOf = (line: string): RuleMatch | undefined => {
  const text = unwrap(line)
  if (passed.test(text) || mute.test(text)) return undefined
  const whole = matched(text)
  if (whole && (whole.weight >= 80 || whole.rule.opens !== undefined || whole.reason === 'summary')) return whole
  if ((whole?.weight ?? 0) < warningWeight && warning.test(text)) {
    const withoutWarning = text.replace(warning, '')
    const rule = findings.find(({ pattern }) => pattern.test(withoutWarning))
    if (rule) return { rule, reason: rule.reason, weight: warningWeight, isSoft: true }
    const other = others.some(({ pattern }) => pattern.test(withoutWarning)) ? warnsOfWrong : warns
    return { rule: other, reason: other.reason, weight: Math.max(minWarned, whole?.weight ?? 0), isSoft: true }
  }
  const rest = withoutLabel(text)
  const inner = rest === undefined ? undefined : matched(rest)
  // A summary stays a summary, whatever its prefix.
  if (inner?.reason === 'summary' && (whole?.weight ?? 0) < minKnown) return inner
  if (inner?.reason === 'exception' && !rest?.includes(': ')) return whole
  if (!inner || inner.weight - prefixPenalty <= (whole?.weight ?? 0)) return whole
  return { ...inner, weight: inner.weight - prefixPenalty }
}
