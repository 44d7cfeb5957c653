// A test runner for Stryker that loads code and tests once into its own process and then runs the
// tests of each mutation there. Stryker's own runner for Vitest restarts Vitest for each mutation,
// which takes a second or more for tests of a few milliseconds. It uses Vitest's `expect` and
// runner, but not its process, configuration or `vi.mock`.
import { register } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Milliseconds. Slower tests are excluded, because every undetected fault would run them. */
const slowest = Number(process.env.SLOWEST ?? 400)
/** A fault often makes a test wait forever. */
const timeoutMs = Math.max(4000, slowest * 3)
/** Tries only every nth fault, by its number in the whole run. */
const every = Number(process.env.EVERY ?? 1)

const config = {
  root: '',
  setupFiles: [],
  passWithNoTests: true,
  allowOnly: false,
  sequence: { shuffle: false, concurrent: false, seed: 0, hooks: 'stack', setupFiles: 'list' },
  maxConcurrency: 1,
  testTimeout: timeoutMs,
  hookTimeout: timeoutMs,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  fakeTimers: {},
  expect: { poll: {} },
}

const nameOf = (task) => (task.suite ? `${nameOf(task.suite)} ${task.name}`.trim() : task.name)
const idOf = (test) => `${test.file.filepath.slice(config.root.length + 1)}#${nameOf(test)}`
const testsOf = (task) => (task.type === 'test' ? [task] : task.tasks.flatMap(testsOf))

/** The global state that Vitest's parts read when called by a test. */
const standIn = () => {
  globalThis['__vitest_worker__'] = {
    config,
    environment: { name: 'node' },
    filepath: '',
    durations: {},
    onCancel() {},
  }
}

const isDoubtful = ({ errorMessage = '', tests = [] }) =>
  errorMessage.startsWith('unhandled') ||
  tests.some(({ failureMessage = '' }) => /timed out|not run/.test(failureMessage))

class Runner {
  static inject = ['options']
  runs = 0
  /**
   * By test file: the duration of a whole run in milliseconds, and how many faults it has detected
   * in each source.
   */
  costs = new Map()
  kills = new Map()
  /** Unhandled errors after a run, for which Vitest fails as well. */
  unhandled = []
  state = (globalThis['__stryker__'] ??= {})

  async init() {
    // The path of Stryker's copy of the project is known only now.
    config.root = process.cwd()
    process.on('unhandledRejection', (reason) => this.unhandled.push(reason))
    standIn()
    register('./load.mjs', import.meta.url)
    const [{ startTests }] = await Promise.all([import('@vitest/runner'), import('vitest')])
    this.startTests = startTests
    this.files = process.env.FLIGHTDECK_TESTS.split(' ')
    // The first run of this process can have a fault, so code that runs on loading must run before,
    // without one.
    await this.run(this.files, () => false)
  }

  capabilities() {
    return { reloadEnvironment: false }
  }

  /** Runs the tests file by file; stops at the first failure with `bail`. */
  async run(files, isWanted, bail = false) {
    const { state } = this
    const ran = []
    let failed = false
    this.unhandled = []
    for (const file of files) {
      const generation = (this.runs += 1)
      const [result] = await this.startTests([join(config.root, file)], {
        config,
        // Each run collects the tests again; the code under test stays loaded.
        importFile: (path) => import(`${pathToFileURL(path).href}?run=${generation}`),
        onCollected: (collected) => {
          for (const test of collected.flatMap(testsOf)) if (!isWanted(idOf(test))) test.mode = 'skip'
        },
        onBeforeRunTask: (test) => {
          if (failed && bail) test.mode = 'skip'
        },
        onBeforeTryTask: (test) => {
          state.currentTestId = idOf(test)
        },
        onAfterRunTask: (test) => {
          state.currentTestId = undefined
          failed ||= test.result.state === 'fail'
        },
      })
      ran.push(result)
      if (bail && (failed || result.result?.state === 'fail' || this.unhandled.length > 0)) break
    }
    return ran
  }

  results(files) {
    const broken = files.find(
      (file) => file.result?.state === 'fail' && !testsOf(file).some((test) => test.result?.state === 'fail'),
    )
    if (broken)
      return { status: 'error', errorMessage: `${broken.name}: ${broken.result.errors?.[0]?.stack ?? 'failed'}` }
    if (this.unhandled.length > 0) return { status: 'error', errorMessage: `unhandled: ${String(this.unhandled[0])}` }
    const tests = files.flatMap(testsOf).filter((test) => test.mode !== 'skip' && test.mode !== 'todo')
    return {
      status: 'complete',
      tests: tests.map((test) => ({
        id: idOf(test),
        name: nameOf(test),
        fileName: test.file.filepath,
        timeSpentMs: test.result?.duration ?? 0,
        ...(test.result?.state === 'pass'
          ? { status: 0 }
          : { status: 1, failureMessage: test.result?.errors?.[0]?.message ?? 'not run' }),
      })),
    }
  }

  async dryRun() {
    this.state.activeMutant = undefined
    // Tests that are slow on a busy machine must be excluded, not reported as broken.
    Object.assign(config, { testTimeout: 60_000, hookTimeout: 60_000 })
    const result = this.results(await this.run(this.files, () => true))
    Object.assign(config, { testTimeout: timeoutMs, hookTimeout: timeoutMs })
    const coverage = this.state.mutantCoverage
    if (result.status !== 'complete' || !coverage) return result
    const tests = result.tests.filter(({ timeSpentMs, status }) => timeSpentMs < slowest || status === 1)
    const slow = result.tests.filter((test) => !tests.includes(test))
    if (slow.length > 0)
      console.error(`Too slow:\n${slow.map(({ id, timeSpentMs }) => `  ${Math.round(timeSpentMs)} ${id}`).join('\n')}`)
    const ids = new Set(tests.map(({ id }) => id))
    const perTest = Object.fromEntries(Object.entries(coverage.perTest).filter(([id]) => ids.has(id)))
    return { ...result, tests, mutantCoverage: { ...coverage, perTest } }
  }

  /**
   * Sorts the tests by how soon they are likely to detect the fault: those that detected others in
   * the same file, and fast ones.
   */
  inOrder(files, source) {
    const worth = (file) => ((this.kills.get(`${source} ${file}`) ?? 0) + 0.5) / (this.costs.get(file) ?? 100)
    return files.toSorted((a, b) => worth(b) - worth(a))
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, disableBail }) {
    if (Number(activeMutant.id) % every !== 0) return { status: 'error', errorMessage: 'not in the sample' }
    const wanted = testFilter && new Set(testFilter)
    const files = this.files.filter((file) => !wanted || testFilter.some((id) => id.startsWith(`${file}#`)))
    Object.assign(this.state, {
      activeMutant: activeMutant.id,
      hitCount: hitLimit === undefined ? undefined : 0,
      hitLimit,
    })
    const began = performance.now()
    let ran = await this.run(
      this.inOrder(files, activeMutant.fileName),
      (id) => !wanted || wanted.has(id),
      !disableBail,
    )
    let result = this.results(ran)
    const last = ran.at(-1)?.filepath.slice(config.root.length + 1)
    // A busy machine or the previous fault can cause a failure, so such a failure must occur twice.
    if (isDoubtful(result)) {
      if (hitLimit !== undefined) this.state.hitCount = 0
      ran = await this.run([last], (id) => !wanted || wanted.has(id), true)
      result = this.results(ran)
    }
    this.state.activeMutant = undefined
    const { fileName, location } = activeMutant
    const took = performance.now() - began
    if (took > 20_000)
      console.error(`${Math.round(took / 1000)} s: ${fileName}:${location.start.line}:${location.start.column}`)
    if (ran.length === 1) this.costs.set(last, (this.costs.get(last) ?? 100) * 0.8 + (performance.now() - began) * 0.2)
    const noticed = () => {
      const key = `${activeMutant.fileName} ${last}`
      this.kills.set(key, (this.kills.get(key) ?? 0) + 1)
    }
    if (hitLimit !== undefined && this.state.hitCount > hitLimit)
      return { status: 'timeout', reason: 'goes on for ever' }
    if (result.status === 'error') {
      noticed()
      return { status: 'killed', killedBy: [], failureMessage: result.errorMessage, nrOfTests: 0 }
    }
    const killers = result.tests.filter(({ status }) => status === 1)
    const nrOfTests = result.tests.length
    if (killers.length === 0) return { status: 'survived', nrOfTests }
    noticed()
    return {
      status: 'killed',
      killedBy: killers.map(({ id }) => id),
      failureMessage: killers[0].failureMessage,
      nrOfTests,
    }
  }
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: Runner }]
