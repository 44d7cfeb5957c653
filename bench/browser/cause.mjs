// From the failed build in a list to its error line: the built server, builds that it ran itself, a
// recorded log.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readLog } from '../../tools/lib/corpus.mjs'
import { newPage, newPerson } from '../lib/chrome.mjs'
import { signIn, startServer } from '../lib/server.mjs'

/** The recorded output of a test runner with 6,000 tests, some of which failed. */
const recorded = 'vitest-verbose-long'
const lines = 5000
const arch = { x64: 'amd64', ia32: '386' }[process.arch] ?? process.arch
const pipeline = `kind: pipeline\ntype: exec\nname: default\nplatform: { os: linux, arch: ${arch} }\nsteps:\n- name: test\n  commands: [cat said.log, test ! -e broken]\n`

const git = (folder, ...words) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words])

/**
 * A repository whose step prints the recorded lines: all of them in the failing commit, those
 * without a failure in the previous one.
 */
async function prepare({ program }) {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-cause-'))
  const work = join(folder, 'repos/acme/red')
  mkdirSync(work, { recursive: true })
  git(work, 'init', '-q', '-b', 'main')
  writeFileSync(join(work, '.drone.yml'), pipeline)
  // The last lines, which contain failures and summaries.
  const recordedLines = readLog(recorded).trimEnd().split('\n').slice(-lines)
  const commit = (text, broken) => {
    writeFileSync(join(work, 'said.log'), `${text.join('\n')}\n`)
    if (broken) writeFileSync(join(work, 'broken'), '')
    git(work, 'add', '-A')
    git(work, 'commit', '-q', '-m', broken ? 'Break it' : 'Make it')
  }
  commit(recordedLines.slice(0, lines / 2), false)
  const server = await startServer(program, { data: join(folder, 'data'), repos: join(folder, 'repos') })
  const person = { origin: server.origin, cookie: await signIn(server.origin) }
  const api = async (path, method = 'GET') => {
    const answer = await fetch(`${server.origin}/api/repos/acme/red${path}`, {
      method,
      headers: { cookie: person.cookie },
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const run = async (status) => {
    const { number } = await api('/builds', 'POST')
    for (;;) {
      const build = await api(`/builds/${number}`)
      if (build.finished > 0 && build.status !== status) throw new Error(`#${number}: ${JSON.stringify(build)}`)
      // The cause appears in lists shortly after the end of the build.
      if (build.finished > 0 && (status === 'success' || build.cause)) return number
      await delay(50)
    }
  }
  await api('', 'POST')
  await run('success')
  commit(recordedLines, true)
  await run('failure')
  return { folder, server, person }
}

/**
 * In the page: clicks the newest row and resolves when a highlighted error line has been painted in
 * the visible area.
 */
const press = () => {
  const began = performance.now()
  document.querySelector('section[aria-labelledby] li a[data-row], [data-row]').click()
  const inSight = () => {
    const line = document.querySelector('[role=log] [data-telling]')
    const log = line?.closest('[role=log]')?.getBoundingClientRect()
    const { top = -1, bottom = 0 } = line?.getBoundingClientRect() ?? {}
    return log && top >= log.top && bottom <= log.bottom && line.textContent.length > 8
  }
  return window.bench.when(inSight).then((time) => (time - began) / 1000)
}

async function once({ browser }, { person }) {
  const context = await newPerson(browser, person)
  const { page } = await newPage(context)
  await page.goto(`${person.origin}/acme/red`)
  await page.locator('[data-row]').first().waitFor()
  await page.waitForTimeout(1000)
  const seconds = await page.evaluate(press)
  await context.close()
  return { seconds }
}

export const cause = {
  name: 'cause',
  size: 'none',
  rows: [
    ['seconds', 'a failed row in the list of builds: from the click to its error line, marked and visible', 's', 1.5],
  ],
  how: 'a build of our own server whose step printed 5,000 recorded lines of a test runner (`vitest-verbose-long` of the corpus, the last ones) and failed, after one that passed; list of builds loaded and quiet for a second, cache otherwise empty; from the click on the row to the painted frame with a line of `[data-telling]` within the log’s window',
  prepare,
  once,
  async finish({ folder, server }) {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  },
}
