import type { Repo, RepoWithBuild, User } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { awaitingApprovalBy, loadedBuilds, unfinishedBuilds } from './waiting.ts'

const me = { login: 'ada', admin: false } as User
const item = (build: object): RepoWithBuild =>
  ({ slug: 'a/b', build: { number: 1, status: 'pending', finished: 0, created: 1, ...build } }) as RepoWithBuild
const repos = (write: boolean) => [{ slug: 'a/b', permissions: { read: true, write, admin: false } } as Repo]

test('a build waits for me if I can approve it', () => {
  const waiting = [item({ waiting: { reason: 'approval', text: '' } })]
  expect(awaitingApprovalBy(me, waiting, repos(true))).toEqual(waiting)
  expect(awaitingApprovalBy(me, waiting, repos(false))).toEqual([])
  expect(awaitingApprovalBy({ ...me, admin: true }, waiting, repos(false))).toEqual(waiting)
  expect(awaitingApprovalBy(undefined, waiting, repos(true))).toEqual([])
  expect(awaitingApprovalBy(me, [item({ status: 'blocked' })], [])).toHaveLength(1)
  expect(awaitingApprovalBy(me, [item({ waiting: { reason: 'runner', text: '' } })], repos(true))).toEqual([])
})

test('queued and running builds are the recent ones and the latest of each repository, each once, newest first', () => {
  const latest = [
    { slug: 'a/b', build: item({ number: 1, created: 5 }).build },
    { slug: 'c/d', build: item({ number: 7, created: 1 }).build },
    { slug: 'e/f' },
  ] as Repo[]
  const recent = [item({ number: 1, created: 5 }), item({ number: 2, created: 9 }), item({ number: 3, finished: 4 })]
  expect(unfinishedBuilds(recent, latest).map(({ slug, build }) => `${slug} ${build.number}`)).toEqual([
    'a/b 2',
    'a/b 1',
    'c/d 7',
  ])
  expect(loadedBuilds(recent, latest), 'with the one that ended').toHaveLength(4)
})

test('builds of one second are listed newest first', () => {
  const recent = [3, 5, 4].map((id) => item({ id, number: id }))
  expect(loadedBuilds(recent, []).map(({ build }) => build.number)).toEqual([5, 4, 3])
})
