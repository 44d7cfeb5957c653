/**
 * Rules and changes at a real Gitea or Forgejo: branch protection, commits of readers, people and
 * repositories that are deleted. Runs where FLIGHTDECK_GITEA or FLIGHTDECK_FORGEJO names the
 * program.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build, Line, Repo, User } from '@flightdeck/api'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ForgeClone } from '../testing/forge-clone.ts'
import { isOver, until } from '../testing/forge-world.ts'
import { giteaPrograms, startGiteaWorld, type Gitea, type GiteaWorld } from '../testing/gitea.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const pipeline = (...commands: string[]) => `kind: pipeline
type: exec
name: default
steps:
- name: look
  commands:
${commands.map((command) => `  - ${command}`).join('\n')}
`

// A file without tests would fail.
if (giteaPrograms.length === 0)
  it.skip('needs the program of a Gitea (FLIGHTDECK_GITEA) or a Forgejo (FLIGHTDECK_FORGEJO)', () => {})

describe.each(giteaPrograms)('with a real $kind', ({ kind, program }) => {
  let world: GiteaWorld
  let forge: Gitea
  let ann: string
  /** A file in it ends a step that waits. */
  let signals: string

  const json = <T>(path: string, method = 'GET', as = ann) => world.json<T>(as, path, method)
  const call = (path: string, method = 'GET', as = ann) => world.call(as, path, method)

  /** A repository of Ann's that is active here, with this pipeline. */
  async function active(name: string, text: string, facts: Record<string, unknown> = {}): Promise<ForgeClone> {
    await forge.api('ann', 'POST', '/user/repos', { name, private: false, default_branch: 'main', ...facts })
    const clone = await world.clone('ann', `ann/${name}`)
    await clone.git('checkout', '-q', '-b', 'main')
    await clone.commit('.drone.yml', text, 'Add a pipeline')
    await clone.git('push', '-q', 'origin', 'main')
    await json('/api/user/repos', 'POST')
    await json(`/api/repos/ann/${name}`, 'POST')
    return clone
  }

  beforeAll(async () => {
    world = await startGiteaWorld({ kind, program }, ['ann', 'bob', 'rita'], {
      args: ['--forge-admins', 'root'],
    })
    ;({ forge } = world)
    signals = mkdtempSync(join(tmpdir(), 'flightdeck-signals-'))
    // The steps run as another user.
    chmodSync(signals, 0o755)
    ann = await world.enter('ann')
  })
  afterAll(async () => {
    await world?.close()
    rmSync(signals, { recursive: true, force: true })
  })

  it('a required status blocks a merge until the build of the pull request has passed', async () => {
    const clone = await active('guarded', pipeline('if test -e broken; then exit 1; fi'))
    const context = 'continuous-integration/drone/pr'
    await forge.api('ann', 'POST', '/repos/ann/guarded/branch_protections', {
      branch_name: 'main',
      rule_name: 'main',
      enable_status_check: true,
      status_check_contexts: [context],
    })
    await clone.git('checkout', '-q', '-b', 'change')
    const broken = await clone.commit('broken', '1', 'Break it')
    await clone.git('push', '-q', 'origin', 'change')
    const { number } = await forge.openPull('ann', 'ann/guarded', 'change', { title: 'A change' })
    const stateOf = async (sha: string) => {
      const sent = (await forge.api('ann', 'GET', `/repos/ann/guarded/commits/${sha}/status`)) as {
        statuses: { context: string; status: string }[] | null
      }
      return sent.statuses?.find((one) => one.context === context)?.status
    }
    const merge = () => forge.api('ann', 'POST', `/repos/ann/guarded/pulls/${number}/merge`, { Do: 'merge' })
    await until(
      () => stateOf(broken),
      (state) => state === 'failure',
    )
    await expect(merge()).rejects.toThrow(/40[05]/)
    await clone.git('rm', '-q', 'broken')
    await clone.git('commit', '-q', '-m', 'Mend it')
    const mended = await clone.git('rev-parse', 'HEAD')
    await clone.git('push', '-q', 'origin', 'change')
    await until(
      () => stateOf(mended),
      (state) => state === 'success',
    )
    // The forge tries first whether it can be merged.
    await until(
      () =>
        merge().then(
          () => true,
          () => false,
        ),
      (isMerged) => isMerged,
    )
  })

  it('commits that a reader pushes for review wait for approval, and get no secret', async () => {
    await active(
      'open',
      pipeline('echo "token $${TOKEN:-none}"').replace(
        '  commands',
        '  environment:\n    TOKEN: { from_secret: token }\n  commands',
      ),
    )
    const secret = { name: 'token', data: 'very-secret', pull_request: false }
    await world.json(ann, '/api/repos/ann/open/secrets', 'POST', secret)
    const clone = await world.clone('bob', 'ann/open')
    await clone.git('fetch', '-q', 'origin', 'main')
    await clone.git('checkout', '-q', '-B', 'main', 'origin/main')
    const sha = await clone.commit('c', '1', 'Print the token')
    await clone.git('push', '-q', 'origin', 'HEAD:refs/for/main', '-o', 'topic=token', '-o', 'title=Help')
    const build = await world.buildWhere(
      ann,
      'ann/open',
      ({ event, after }) => event === 'pull_request' && after === sha,
    )
    expect(build).toMatchObject({ status: 'pending', title: 'Help', author_login: 'bob', source_repo: 'unknown/fork' })
    const { stages = [] } = await json<Build>(`/api/repos/ann/open/builds/${build.number}`)
    expect(stages.map(({ status }) => status)).toEqual(['blocked'])
    await call(`/api/repos/ann/open/builds/${build.number}/approve/1`, 'POST')
    await world.buildWhere(ann, 'ann/open', (one) => one.number === build.number && isOver(one))
    const log = await json<Line[]>(`/api/repos/ann/open/builds/${build.number}/logs/1/2`)
    expect(log.map(({ out }) => out).join('')).toContain('token none')
  })

  it('a repository that is deleted while it builds ends its build here, and says that it is gone', async () => {
    const root = await world.enter('root')
    const clone = await active('short', pipeline(`until test -e ${join(signals, 'short')}; do sleep 0.1; done`), {
      private: true,
    })
    const sha = await clone.commit('a', '1', 'Build it')
    await clone.git('push', '-q', 'origin', 'main')
    const isRunning = ({ after, status }: Build) => after === sha && status === 'running'
    const { number } = await world.buildWhere(ann, 'ann/short', isRunning)
    await forge.api('ann', 'DELETE', '/repos/ann/short')
    expect((await call('/api/repos/ann/short/forge/fetch', 'POST')).status).toBe(502)
    writeFileSync(join(signals, 'short'), '')
    const build = await world.buildWhere(root, 'ann/short', (one) => one.number === number && isOver(one))
    expect(build.status).toBe('success')
    const state = await json<{ mirror: { error: string } }>('/api/repos/ann/short/forge', 'GET', root)
    expect(state.mirror.error).toMatch(/no longer has ann\/short/)
    // What the forge hides from Ann is hidden here.
    await json('/api/user/repos', 'POST')
    expect((await call('/api/repos/ann/short')).status).toBe(404)
    // Another repository of that name is another one here.
    await forge.api('ann', 'POST', '/user/repos', { name: 'short', default_branch: 'main' })
    await json('/api/user/repos', 'POST')
    expect(await json<Repo>('/api/repos/ann/short')).toMatchObject({ active: false })
    expect(await json<Build[]>('/api/repos/ann/short/builds')).toEqual([])
  })

  it('a branch that is renamed is built under its new name, and listed under that alone', async () => {
    const clone = await active('renames', pipeline('true'))
    await clone.git('push', '-q', 'origin', 'main:refs/heads/draft')
    const sha = await clone.git('rev-parse', 'HEAD')
    await world.buildWhere(ann, 'ann/renames', ({ target, after }) => target === 'draft' && after === sha)
    await forge.api('ann', 'PATCH', '/repos/ann/renames/branches/draft', { name: 'final' })
    const build = await world.buildWhere(ann, 'ann/renames', ({ target }) => target === 'final')
    expect(build).toMatchObject({ event: 'push', after: sha, ref: 'refs/heads/final' })
    const branches = await json<Build[]>('/api/repos/ann/renames/builds/branches')
    expect(branches.map(({ target }) => target)).toEqual(['final'])
    await forge.api('ann', 'PATCH', '/repos/ann/renames/branches/main', { name: 'trunk' })
    await world.buildWhere(ann, 'ann/renames', ({ target }) => target === 'trunk')
    expect(await json<Repo>('/api/repos/ann/renames')).toMatchObject({ default_branch: 'trunk' })
  })

  it('a repository that is transferred while it builds continues with its build, status and address', async () => {
    await forge.api('ann', 'POST', '/orgs', { username: 'firm' })
    const clone = await active('moves', pipeline(`until test -e ${join(signals, 'moves')}; do sleep 0.1; done`), {
      private: true,
    })
    const sha = await clone.commit('a', '1', 'Build it')
    await clone.git('push', '-q', 'origin', 'main')
    const { number } = await world.buildWhere(
      ann,
      'ann/moves',
      ({ after, status }) => after === sha && status === 'running',
    )
    await forge.api('ann', 'POST', '/repos/ann/moves/transfer', { new_owner: 'firm' })
    // Somebody else's repository has the old name now.
    await forge.api('ann', 'POST', '/user/repos', { name: 'moves', default_branch: 'main' })
    writeFileSync(join(signals, 'moves'), '')
    const context = 'continuous-integration/drone/push'
    const statuses = () =>
      forge.api('ann', 'GET', `/repos/firm/moves/commits/${sha}/statuses`) as Promise<
        { context: string; status: string }[]
      >
    await until(statuses, (all) => all.some((one) => one.context === context && one.status === 'success'))
    expect((await call('/api/repos/ann/moves/forge/fetch', 'POST')).status).toBe(204)
    const build = await json<Build>(`/api/repos/firm/moves/builds/${number}`)
    expect(build).toMatchObject({ status: 'success', after: sha })
    // The next push, under the new name, is the next build of the same repository.
    await clone.git(
      'remote',
      'set-url',
      'origin',
      (await clone.git('remote', 'get-url', 'origin')).replace('/ann/', '/firm/'),
    )
    const next = await clone.commit('b', '1', 'After the transfer')
    await clone.git('push', '-q', 'origin', 'main')
    const after = await world.buildWhere(ann, 'firm/moves', (one) => one.after === next && isOver(one))
    expect(after).toMatchObject({ status: 'success', number: number + 1 })
  })

  it('a restricted person sees what was shared with that person only', async () => {
    const options = { restricted: true, login_name: 'rita', source_id: 0 }
    await forge.api('root', 'PATCH', '/admin/users/rita', options)
    await forge.api('ann', 'POST', '/orgs', { username: 'inner', visibility: 'limited' })
    for (const name of ['shared', 'other']) await forge.api('ann', 'POST', '/orgs/inner/repos', { name })
    const team = { name: 'readers', permission: 'read', units: ['repo.code'] }
    const { id } = (await forge.api('ann', 'POST', '/orgs/inner/teams', team)) as { id: number }
    await forge.api('ann', 'PUT', `/teams/${id}/members/rita`)
    await forge.api('ann', 'PUT', `/teams/${id}/repos/inner/shared`)
    await json('/api/user/repos', 'POST')
    const [bob, rita] = [await world.enter('bob'), await world.enter('rita')]
    expect(await json<User>('/api/user', 'GET', rita)).toMatchObject({ login: 'rita', external: true })
    await json('/api/user/repos', 'POST', rita)
    const seen = async (as: string) => [
      (await call('/api/repos/inner/shared', 'GET', as)).status,
      (await call('/api/repos/inner/other', 'GET', as)).status,
    ]
    expect(await seen(bob)).toEqual([200, 200])
    expect(await seen(rita)).toEqual([200, 404])
  })
})
