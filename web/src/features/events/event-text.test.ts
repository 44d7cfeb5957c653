import type { Build } from '@flightdeck/api'
import { expect, test } from 'vitest'
import { eventDescription, eventKind, eventParts, rowWords } from './event-text.ts'

const build = (fields: Partial<Build>): Build =>
  ({
    event: 'push',
    action: '',
    ref: 'refs/heads/main',
    after: '66c79b957ae416fec0978dfd5100d49894988ade',
    source: 'main',
    target: 'main',
    sender: 'ann',
    author_login: 'ann',
    author_name: '',
    trigger: '@hook',
    message: 'good again\n',
    ...fields,
  }) as Build

test.each<[Partial<Build>, string]>([
  [{}, 'ann pushed 66c79b95 to main'],
  [
    { event: 'pull_request', action: 'opened', ref: 'refs/pull/7/head', source: 'topic' },
    'ann opened pull request #7 from topic to main',
  ],
  [
    { event: 'pull_request', action: 'synchronized', ref: 'refs/merge-requests/12/head', source: 'topic' },
    'ann updated pull request #12 from topic to main',
  ],
  [{ event: 'tag', ref: 'refs/tags/v1.2.3' }, 'ann created tag v1.2.3'],
  [
    { event: 'cron', cron: 'nightly', sender: '', author_login: '', trigger: '@cron' },
    'Cron job nightly ran 66c79b95 on main',
  ],
  [{ event: 'promote', parent: 21, deploy_to: 'production' }, 'ann promoted #21 to production'],
  [{ event: 'rollback', parent: 21, deploy_to: 'staging' }, 'ann rolled back staging to #21'],
  [{ event: 'custom', sender: '', author_login: '', trigger: 'wes' }, 'wes started a custom build of 66c79b95 on main'],
  [{ sender: '', author_login: '' }, 'Pushed 66c79b95 to main'],
])('%o reads as a sentence of its kind', (fields, sentence) => {
  expect(eventDescription(build(fields))).toBe(sentence)
})

test.each([
  ['ann', 'started a custom build of 66c79b95 on main'],
  ['wes', 'ann started a custom build of 66c79b95 on main'],
  ['', 'ann started a custom build of 66c79b95 on main'],
])('after words about “%s” its sentence is: %s', (precedingText, sentence) => {
  const parts = eventParts(build({ event: 'custom', parent: 1, actor: precedingText }), precedingText)
  expect(parts.map(({ text }) => text).join(' ')).toBe(sentence)
})

test('an unknown event is still described', () => {
  expect(eventDescription({ ...build({}), event: 'merge_group' as Build['event'] })).toBe(
    'ann merge_group 66c79b95 on main',
  )
})

test('describes a build if only the event is known', () => {
  expect(eventDescription({ event: 'push' } as Build)).toBe('Pushed')
  expect(eventDescription({ event: 'tag' } as Build)).toBe('Created a tag')
})

test.each<[Partial<Build>, string]>([
  [{}, 'Push'],
  [
    { event: 'pull_request', action: 'opened', ref: 'refs/pull/7/head', source: 'topic' },
    'Pull request #7 opened from topic',
  ],
  [{ event: 'pull_request', action: 'synchronized', ref: 'refs/x', source: '' }, 'Pull request updated'],
  [{ event: 'tag', ref: 'refs/tags/v1.2.3' }, 'Tag v1.2.3'],
  [{ event: 'tag', ref: '' }, 'Tag'],
  [{ event: 'cron', cron: 'nightly' }, 'Cron job nightly'],
  [{ event: 'promote', parent: 21, deploy_to: 'staging' }, 'Promoted #21 to staging'],
  [{ event: 'rollback', deploy_to: '' }, 'Rolled back production to this commit'],
  [{ event: 'custom' }, 'Custom build'],
])('beside columns of who, branch and commit %o reads %s', (fields, kind) => {
  expect(eventKind(build(fields))).toBe(kind)
})

test.each<[Partial<Build>, string[]]>([
  [{}, ['Push']],
  [{ actor: 'wes', parent: 3 }, ['wes restarted #3', 'Push']],
  [{ actor: 'wes', event: 'promote', parent: 1, deploy_to: '' }, ['wes promoted #1 to production']],
  [{ actor: 'wes', event: 'custom' }, ['Started manually by wes']],
])('in a row %o reads %j', (fields, words) => {
  expect(rowWords(build(fields))).toEqual(words)
})
