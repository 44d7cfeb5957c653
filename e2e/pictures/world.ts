/**
 * A server with data to look at: repositories with successful, failed, running and no builds,
 * secrets, cron jobs and people.
 */
import { type APIRequestContext, expect } from '@playwright/test'
import type { Build } from '@flightdeck/api'

import { makeRepository } from '../support/repositories.ts'

const colour = (code: number, text: string) => `printf '\\033[${code}m${text}\\033[0m\\n'`

const website = (bad: boolean) => `
kind: pipeline
type: exec
name: lint
steps:
  - name: types
    commands:
      - ${colour(36, 'checking 214 files')}
      - ${colour(32, 'no type errors')}
  - name: style
    commands:
      - echo 'every file is formatted'
---
kind: pipeline
type: exec
name: test
steps:
  - name: unit
    commands:
      - for i in $(seq 1 40); do printf "\\033[32m✓\\033[0m test %02d  parses headings\\n" $i; done
      - ${bad ? `${colour(31, 'FAIL  links › keeps the anchor')} && exit 1` : colour(32, '40 passed')}
  - name: browser
    commands:
      - echo 'opening 12 pages'
---
kind: pipeline
type: exec
name: publish
depends_on: [lint, test]
steps:
  - name: upload
    commands:
      - echo 'uploading 38 files'
`

const slow = `
kind: pipeline
type: exec
name: default
steps:
  - name: compile
    commands:
      - ${colour(36, 'compiling 96 modules')}
  - name: test
    commands:
      - i=0; while true; do i=$((i+1)); printf "\\033[32m✓\\033[0m case %03d \\033[2mrotor spins up\\033[0m\\n" $i; sleep 0.3; done
  - name: package
    commands:
      - echo done
`

/** Writes commands as YAML blocks: unquoted text after a dash cannot contain colons or quotes. */
const asBlocks = (config: string): string =>
  config.replaceAll(/^(\s+)- (printf|echo|for|i=0|exit)(.*)$/gm, (_, space: string, word: string, rest: string) =>
    [`${space}- |`, `${space}  ${word}${rest}`].join('\n'),
  )

export async function makeRepositories(folder: string) {
  return {
    website: await makeRepository(folder, 'acme/website', asBlocks(website(false))),
    rotor: await makeRepository(folder, 'space/rotor', asBlocks(slow)),
    docs: await makeRepository(folder, 'acme/docs', asBlocks(website(false))),
    idle: await makeRepository(folder, 'acme/attic', asBlocks(website(false))),
  }
}

type Repositories = Awaited<ReturnType<typeof makeRepositories>>

/**
 * Runs builds until there is at least one of each kind; the last one of `space/rotor` keeps
 * running.
 */
export async function fill(request: APIRequestContext, origin: string, repositories: Repositories): Promise<void> {
  const post = async (path: string, data?: unknown) => {
    const answer = await request.post(`${origin}/api${path}`, data === undefined ? {} : { data })
    expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true)
  }
  const ended = (slug: string, number: number) =>
    expect
      .poll(
        async () =>
          ((await (await request.get(`${origin}/api/repos/${slug}/builds/${number}`)).json()) as Build).finished,
        {
          timeout: 60_000,
        },
      )
      .toBeGreaterThan(0)
  const { website: site, rotor, docs } = repositories
  for (const { slug } of [site, rotor, docs]) await post(`/repos/${slug}`)

  const commits: [string, boolean][] = [
    ['Add a page about rotors', false],
    ['Keep anchors when headings move', true],
    ['Repair the anchors', false],
    ['Describe the second engine', false],
  ]
  for (const [index, [message, bad]] of commits.entries()) {
    await site.commit(message, { 'page.md': message, '.drone.yml': asBlocks(website(bad)) })
    await ended(site.slug, index + 1)
  }
  await docs.commit('Break the glossary', { 'page.md': 'x', '.drone.yml': asBlocks(website(true)) })
  await ended(docs.slug, 1)
  await post(`/repos/${site.slug}/secrets`, { name: 'deploy_key', data: 'secret', pull_request: false })
  await post(`/repos/${site.slug}/secrets`, { name: 'registry_password', data: 'secret', pull_request: true })
  await post(`/repos/${site.slug}/cron`, { name: 'nightly', branch: 'main', expr: '@daily' })
  await post('/users', { login: 'grace', email: 'grace@example.com', admin: false, machine: false })
  await post('/users', { login: 'deploy-bot', email: 'bot@example.com', admin: false, machine: true })
  await post(`/repos/${site.slug}/builds/3/promote?target=production`)
  await rotor.commit('Spin faster', { 'rotor.txt': '1' })
  await expect
    .poll(
      async () => (await (await request.get(`${origin}/api/repos/${rotor.slug}/builds/1/logs/1/3`)).text()).length,
      {
        timeout: 30_000,
      },
    )
    .toBeGreaterThan(0)
    .catch(() => undefined)
}
