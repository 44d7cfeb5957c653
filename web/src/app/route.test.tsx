import { expect, it } from 'vitest'

import { route } from './route.tsx'

const drawn = (path: string) => route(path, { page: () => null })
const build = drawn('/:namespace/:name/:build/:stage?/:step?')

it.each([
  ['/octocat/hello/4', { namespace: 'octocat', name: 'hello', build: '4' }],
  ['/octocat/hello/4/2/7', { namespace: 'octocat', name: 'hello', build: '4', stage: '2', step: '7' }],
  ['/a%2Fb/50%25/1', { namespace: 'a/b', name: '50%', build: '1' }],
  ['/a%zz/b/1', { namespace: 'a%zz', name: 'b', build: '1' }],
])('%s has its parameters, decoded once and part by part', (pathname, params) => {
  expect(build.match(pathname)?.params).toEqual(params)
})

it.each(['/octocat/hello', '/octocat/hello/1/2/3/4', '//hello/1', '/octocat//1', '/octocat/hello/1//3', '/'])(
  '%s is no build',
  (pathname) => expect(build.match(pathname)).toBeUndefined(),
)

it('a literal segment of a path matches only itself', () => {
  const branches = drawn('/:namespace/:name/branches')
  expect(branches.match('/octocat/hello/branches')).toBeDefined()
  expect(branches.match('/octocat/hello/Branches')).toBeUndefined()
  expect(drawn('/').match('/')).toBeDefined()
  expect(drawn('/').match('/welcome')).toBeUndefined()
})

it('a page whose props cannot be parsed is not found, and its layouts load their code with it', async () => {
  const loaded: string[] = []
  const part = (name: string) => Object.assign(() => null, { load: async () => loaded.push(name) })
  const match = route('/:number', {
    page: part('page'),
    within: [part('layout')],
    props: ({ number }) => (number === '1' ? {} : undefined),
  })
  await Promise.all(match.match('/1')?.load() ?? [])
  expect(loaded).toEqual(['layout', 'page'])
})
