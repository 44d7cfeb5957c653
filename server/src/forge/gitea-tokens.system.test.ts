/**
 * What happens to people and repositories at a real Gitea or Forgejo whose tokens live for seconds
 * and whose refresh tokens rotate. Runs where FLIGHTDECK_GITEA or FLIGHTDECK_FORGEJO names the
 * program.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build, Line, Repo } from '@flightdeck/api'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { canRun } from '../testing/can-run.ts'
import type { ForgeClone } from '../testing/forge-clone.ts'
import { isOver, until } from '../testing/forge-world.ts'
import { giteaPrograms, startGiteaWorld, type Gitea, type GiteaWorld } from '../testing/gitea.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Of an access token. The refresh tokens rotate: each is good once. */
const tokenSeconds = 12

const pipeline = (...commands: string[]) => `kind: pipeline
type: exec
name: default
steps:
- name: look
  commands:
${commands.map((command) => `  - ${command}`).join('\n')}
`

interface Status {
  status: string
}

// A file without tests would fail.
if (giteaPrograms.length === 0)
  it.skip('needs the program of a Gitea (FLIGHTDECK_GITEA) or a Forgejo (FLIGHTDECK_FORGEJO)', () => {})

describe.each(giteaPrograms)('with a real $kind whose tokens end soon', ({ kind, program }) => {
  let world: GiteaWorld
  let forge: Gitea
  let ann: string
  /** A file in it ends a step that waits. */
  let signals: string

  const json = <T>(path: string, method = 'GET', as = ann) => world.json<T>(as, path, method)
  const call = (path: string, method = 'GET', as = ann) => world.call(as, path, method)
  const buildOf = (slug: string, sha: string, as = ann) =>
    world.buildWhere(as, slug, (one) => one.after === sha && isOver(one))
  const passed = (slug: string, sha: string) =>
    until(
      async () => (await forge.api('root', 'GET', `/repos/${slug}/commits/${sha}/statuses`)) as Status[],
      (all) => all.some(({ status }) => status === 'success'),
    )

  const waitFor = (name: string) => `until test -e ${join(signals, name)}; do sleep 0.1; done`
  const refreshes = () => forge.requests.filter((one) => one === 'POST /login/oauth/access_token').length
  const actsAs = async (slug: string, as = ann) =>
    (await json<{ acts_as: string }>(`/api/repos/${slug}/forge`, 'GET', as)).acts_as

  /** A repository of the organization that is active here, with this pipeline. */
  async function active(name: string, text: string, facts: Record<string, unknown> = {}): Promise<ForgeClone> {
    await forge.api('ann', 'POST', '/orgs/acme/repos', { name, private: true, default_branch: 'main', ...facts })
    const clone = await world.clone('ann', `acme/${name}`)
    await clone.git('checkout', '-q', '-b', 'main')
    await clone.commit('.drone.yml', text, 'Add a pipeline')
    await clone.git('push', '-q', 'origin', 'main')
    await json('/api/user/repos', 'POST')
    await json(`/api/repos/acme/${name}`, 'POST')
    return clone
  }

  beforeAll(async () => {
    world = await startGiteaWorld({ kind, program, path: '/git', tokenSeconds }, ['ann', 'dan', 'eve'])
    ;({ forge } = world)
    signals = mkdtempSync(join(tmpdir(), 'flightdeck-signals-'))
    // The steps run as another user.
    chmodSync(signals, 0o755)
    await forge.api('ann', 'POST', '/orgs', { username: 'acme' })
    ann = await world.enter('ann')
  })
  afterAll(async () => {
    await world?.close()
    rmSync(signals, { recursive: true, force: true })
  })

  it('refreshes a token once for hooks, a sync, a cron job, a page and statuses at once, also after a restart', async () => {
    // Only one of the hooks of a push starts a build.
    const clone = await active('one', `${pipeline('true')}trigger:\n  branch: [main]\n`)
    await world.json(ann, '/api/repos/acme/one/cron', 'POST', { name: 'nightly', expr: '@yearly', branch: 'main' })
    const began = Date.now()
    const before = refreshes()
    for (const round of ['first', 'second']) {
      const sha = await clone.commit('a', round, `The ${round} round`)
      const branches = Array.from({ length: 20 }, (_, at) => `HEAD:refs/heads/${round}-${at}`)
      await Promise.all([
        clone.git('push', '-q', 'origin', 'main', ...branches),
        json('/api/user/repos', 'POST'),
        json('/api/repos/acme/one/cron/nightly', 'POST'),
        call('/api/repos/acme/one'),
      ])
      await until(
        () => json<Build[]>('/api/repos/acme/one/builds'),
        (builds) => builds.filter((one) => one.event === 'push' && one.after === sha && isOver(one)).length === 1,
      )
      await passed('acme/one', sha)
      if (round === 'first') await world.restart()
    }
    // A token is used for at least a quarter of its life; two refreshes at once would have lost
    // both.
    const maxRefreshes = Math.ceil((Date.now() - began) / ((tokenSeconds * 1000) / 4)) + 1
    expect(refreshes() - before).toBeLessThanOrEqual(maxRefreshes)
    expect(refreshes()).toBeGreaterThan(0)
    expect(await actsAs('acme/one')).toBe('ann')
    expect(world.server.errors()).not.toMatch(/sign in again|could not be|rejected/)
  })

  it('replaces a token that ends during a build: a later step fetches submodules and large files, and pushes', async () => {
    await forge.api('ann', 'POST', '/orgs/acme/repos', { name: 'part', private: true, default_branch: 'main' })
    const part = await world.clone('ann', 'acme/part')
    await part.git('checkout', '-q', '-b', 'main')
    await part.commit('words', 'of the part\n', 'Add words')
    await part.git('push', '-q', 'origin', 'main')
    const hasLfs = canRun('git', 'lfs', 'version')
    const lfs = hasLfs ? ['git lfs pull', 'cat picture.bin'] : []
    const late = [
      'git submodule update -q --init',
      'cat part/words',
      ...lfs,
      'git push -q origin HEAD:refs/heads/built',
    ]
    const text = `${pipeline(waitFor('late'))}- name: late
  commands:
${late.map((command) => `  - ${command}`).join('\n')}
`
    const whole = await active('whole', text)
    await whole.git('submodule', '--quiet', 'add', '../part.git', 'part')
    if (hasLfs) {
      await whole.git('lfs', 'install', '--local')
      await whole.git('lfs', 'track', '*.bin')
      writeFileSync(join(whole.path, 'picture.bin'), 'bytes of a picture\n')
    }
    const sha = await whole.commit('a', '1', 'Add the part')
    await whole.git('push', '-q', 'origin', 'main')
    const running = await world.buildWhere(ann, 'acme/whole', (one) => one.after === sha && one.status === 'running')
    const end = running.started + tokenSeconds + 1
    await until(
      () => Date.now() / 1000,
      (now) => now > end,
    )
    writeFileSync(join(signals, 'late'), '')
    const build = await buildOf('acme/whole', sha)
    const lines = await json<Line[]>(`/api/repos/acme/whole/builds/${build.number}/logs/1/3`)
    const log = lines.map(({ out }) => out).join('')
    expect(log).toContain('of the part')
    if (hasLfs) expect(log).toContain('bytes of a picture')
    expect(build.status).toBe('success')
    const built = (await forge.api('ann', 'GET', '/repos/acme/whole/branches/built')) as { commit: { id: string } }
    expect(built.commit.id).toBe(sha)
  })

  it('delays no build while the forge is down, which gets the statuses when it is back', async () => {
    const clone = await active(
      'slow',
      `${pipeline(waitFor('slow'))}- name: second\n  commands:\n  - git fetch origin main\n`,
    )
    const sha = await clone.commit('a', '1', 'Wait')
    await clone.git('push', '-q', 'origin', 'main')
    const { number } = await world.buildWhere(ann, 'acme/slow', (one) => one.after === sha && one.status === 'running')
    await forge.stop()
    // A build that begins now runs from the mirror.
    const again = await json<Build>(`/api/repos/acme/slow/builds/${number}`, 'POST')
    writeFileSync(join(signals, 'slow'), '')
    const isEnded = (one: Build) => one.number === again.number && isOver(one)
    // Only what a step asks of the forge fails.
    expect(await world.buildWhere(ann, 'acme/slow', isEnded)).toMatchObject({ status: 'failure' })
    const log = await json<Line[]>(`/api/repos/acme/slow/builds/${again.number}/logs/1/1`)
    expect(log.length).toBeGreaterThan(0)
    // People stay signed in, see their repositories, and why the mirror is old.
    expect((await call('/api/repos/acme/slow')).status).toBe(200)
    expect((await call('/api/repos/acme/slow/forge/fetch', 'POST')).status).toBe(503)
    expect(await json('/api/repos/acme/slow/forge')).toMatchObject({ acts_as: 'ann', mirror: { error: /\S/ } })
    await forge.start()
    // A push without a webhook is found, too.
    const lost = await clone.commit('.drone.yml', pipeline('true'), 'Unheard')
    await clone.git('push', '-q', 'origin', 'main')
    expect((await call('/api/repos/acme/slow/forge/fetch', 'POST')).status).toBe(204)
    expect(await buildOf('acme/slow', lost)).toMatchObject({ status: 'success' })
    await until(
      async () => (await forge.api('root', 'GET', `/repos/acme/slow/commits/${sha}/statuses`)) as Status[],
      (all) => all.some(({ status }) => status === 'failure'),
    )
    await passed('acme/slow', lost)
  })

  it('acts as another owner when the first one leaves, who then sees nothing', async () => {
    await active('shared', pipeline('true'))
    const teams = (await forge.api('ann', 'GET', '/orgs/acme/teams')) as { id: number; name: string }[]
    const owners = teams.find(({ name }) => name === 'Owners')?.id
    await forge.api('ann', 'PUT', `/teams/${owners}/members/dan`)
    const dan = await world.enter('dan')
    await json('/api/user/repos', 'POST', dan)
    await forge.api('dan', 'DELETE', '/orgs/acme/members/ann')
    const clone = await world.clone('dan', 'acme/shared')
    await clone.git('fetch', '-q', 'origin')
    await clone.git('checkout', '-q', '-B', 'main', 'origin/main')
    const sha = await clone.commit('b', '1', 'By dan')
    await clone.git('push', '-q', 'origin', 'main')
    expect(await buildOf('acme/shared', sha, dan)).toMatchObject({ status: 'success', sender: 'dan' })
    await passed('acme/shared', sha)
    expect(await json<{ acts_as: string }>('/api/repos/acme/shared/forge', 'GET', dan)).toMatchObject({
      acts_as: 'dan',
    })
    await json('/api/user/repos', 'POST')
    expect((await call('/api/repos/acme/shared')).status).toBe(404)
    await forge.api('dan', 'PUT', `/teams/${owners}/members/ann`)
    await json('/api/user/repos', 'POST')
  })

  it('shows what the forge shows: a limited organization to people, a private repository to its members', async () => {
    const status = async (as: string) => (await call('/api/repos/acme/open/builds', 'GET', as)).status
    const eve = await world.enter('eve')
    await active('open', pipeline('true'), { private: false })
    expect([await status(''), await status(eve), await status(ann)]).toEqual([200, 200, 200])
    await forge.api('ann', 'PATCH', '/orgs/acme', { visibility: 'limited' })
    await json('/api/user/repos', 'POST')
    expect([await status(''), await status(eve), await status(ann)]).toEqual([401, 200, 200])
    await forge.api('ann', 'PATCH', '/orgs/acme', { visibility: 'private' })
    await json('/api/user/repos', 'POST')
    expect([await status(''), await status(eve), await status(ann)]).toEqual([401, 404, 200])
    await forge.api('ann', 'PATCH', '/orgs/acme', { visibility: 'public' })
    await json('/api/user/repos', 'POST')
    await forge.api('ann', 'PATCH', '/repos/acme/open', { private: true })
    await json('/api/user/repos', 'POST')
    expect([await status(''), await status(eve), await status(ann)]).toEqual([401, 404, 200])
  })

  it('follows a repository that is archived, and one that is deleted', async () => {
    await forge.api('ann', 'PATCH', '/repos/acme/open', { archived: true })
    await json('/api/user/repos', 'POST')
    expect(await json<Repo>('/api/repos/acme/open')).toMatchObject({ archived: true })
    await forge.api('ann', 'DELETE', '/repos/acme/shared')
    // Rights that a sync has stored in this second outlive the next sync of the same second.
    await until(
      async () => {
        await json('/api/user/repos', 'POST')
        return (await call('/api/repos/acme/shared')).status
      },
      (status) => status === 404,
    )
    expect((await json<Repo[]>('/api/user/repos')).map(({ slug }) => slug)).not.toContain('acme/shared')
    // A new one of that name is another one.
    await forge.api('ann', 'POST', '/orgs/acme/repos', { name: 'shared', private: true })
    await json('/api/user/repos', 'POST')
    expect(await json<Repo>('/api/repos/acme/shared')).toMatchObject({ active: false })
    expect(await json<Build[]>('/api/repos/acme/shared/builds')).toEqual([])
  })

  it('signs out a person who has revoked the access, everywhere', async () => {
    await call('/api/repos/acme/one')
    const page = await (await forge.open('ann', `${forge.url}/user/settings/applications`)).text()
    const path = /\/user\/settings\/applications\/oauth2\/\d+\/revoke\/\d+/.exec(page)?.[0] ?? ''
    expect(path).not.toBe('')
    await forge.form('ann', path, {})
    await until(
      async () => {
        const answer = await call('/api/user/repos', 'POST')
        await answer.text()
        return answer.status
      },
      (status) => status === 401,
    )
    expect((await call('/api/user')).status).toBe(401)
    // Signing in again asks for consent, and gives the repositories a token.
    expect(await world.enter('ann').then((again) => call('/api/user', 'GET', again))).toMatchObject({ status: 200 })
  })
})
