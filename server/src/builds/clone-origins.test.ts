import type { Build, Repo } from '@flightdeck/api'
import { expect, it } from 'vitest'
import { createOrigins } from './clone-origins.ts'
import { createCredentials } from './remote/credentials.ts'

const credentials = createCredentials((text) => `sealed(${text})`)
const build = { id: 7, repo_id: 1 } as Build
const repo = { id: 1, slug: 'acme/web', git_http_url: 'https://ci.example.com/acme/web.git' } as Repo

it('is this server, at the address that the runner reaches', async () => {
  const origins = createOrigins(credentials)
  expect(await origins.of(build, repo)).toEqual({
    url: 'https://ci.example.com/acme/web.git',
    netrc: { machine: 'ci.example.com', login: 'build-7', password: 'sealed(clone 1 7)' },
  })
  expect(await origins.of(build, repo, 'http://127.0.0.1:8080')).toMatchObject({
    url: 'http://127.0.0.1:8080/acme/web.git',
    netrc: { machine: '127.0.0.1' },
  })
  expect(await origins.of(build, { ...repo, git_http_url: '' })).toEqual({ url: '', netrc: null })
})

it('is the forge for a repository of a forge, whatever the name of this server', async () => {
  const forge = {
    url: 'https://git.example.com/acme/web.git',
    netrc: { machine: 'git.example.com', login: 'oauth2', password: 'x' },
  }
  const origins = createOrigins(credentials, async ({ id }) => (id === 7 ? forge : null))
  expect(await origins.of(build, repo, 'http://127.0.0.1:8080')).toEqual(forge)
  expect((await origins.of({ ...build, id: 8 }, repo)).url).toBe(repo.git_http_url)
})
