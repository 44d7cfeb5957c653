/** Texts about deployments and the protection of environments. */
import type { Build, Comparison, EnvironmentRule } from '@flightdeck/api'

import { formatNumber, listOf } from '../../../lib/text.ts'
import { manualActorOf } from '../../../lib/actor.ts'

/** The deployer can differ from the author, and a rollback is not a promotion. */
export const deployedBy = (build: Build): string => {
  const what = build.event === 'rollback' ? 'Rolled back' : 'Promoted'
  const who = manualActorOf(build)
  const from = build.parent ? ` from #${build.parent}` : ''
  return `${what}${from}${who ? ` by ${who}` : ''}`
}

/** `staging #7 (failure)`: one deployment, not necessarily the current one. */
export const deploymentName = ({ deploy_to: environment = '', number, status }: Build): string =>
  `${environment} #${number} (${status.replaceAll('_', ' ')})`

/** The people who can deploy. */
const deployersOf = ({ who, people = [] }: EnvironmentRule): string => {
  if (who === 'writers') return 'Anyone with write permission can deploy.'
  return who === 'people' ? `Only ${listOf(people)} can deploy.` : 'Only repository administrators can deploy.'
}

export const ruleWords = (rule: EnvironmentRule): string =>
  `${deployersOf(rule)}${rule.approval ? ' Each deployment requires approval.' : ''}`

const commitsWord = (count: number, more = false): string =>
  `${more ? 'More than ' : ''}${formatNumber(count)} ${count === 1 ? 'commit' : 'commits'}`

/** Sentences about the commits that each side lacks. `other`: the other side of the comparison. */
export const distanceWords = (
  { commits = [], more, without = 0 }: Comparison,
  { environment, other }: { environment: string; other: string },
): string[] => {
  const sentence = (count: number, of: string, notIn: string, isMore = false): string[] =>
    count === 0 ? [] : [`${commitsWord(count, isMore)} of ${of} ${count === 1 ? 'is' : 'are'} not in ${notIn}.`]
  return [...sentence(commits.length, other, environment, more === true), ...sentence(without, environment, other)]
}
