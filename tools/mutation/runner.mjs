// A test runner for Stryker that loads code and tests once into its own process and then runs the tests of each fault there.
// Stryker's own runner for Vitest starts Vitest anew for each fault, which takes a second or more where the tests take
// milliseconds. The tests are Vitest's (its `expect`, its runner), only its process, its configuration and `vi.mock` are not there.
import { register } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Milliseconds: tests that take longer are left out, or a fault that nothing notices would take them all. */
const slowest = Number(process.env.SLOWEST ?? 400)

const config = {
  root: '',
  setupFiles: [],
  passWithNoTests: true,
  allowOnly: false,
  sequence: { shuffle: false, concurrent: false, seed: 0, hooks: 'stack', setupFiles: 'list' },
  maxConcurrency: 1,
  testTimeout: 10_000,
  hookTimeout: 10_000,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  fakeTimers: {},
  expect: { poll: {} },
}

const nameOf = (task) => (task.suite ? `${nameOf(task.suite)} ${task.name}`.trim() : task.name)
const idOf = (test) => `${test.file.filepath.slice(config.root.length + 1)}#${nameOf(test)}`
const testsOf = (task) => (task.type === 'test' ? [task] : task.tasks.flatMap(testsOf))

/** What Vitest's parts look for when a test calls them. */
const standIn = () => {
  globalThis['__vitest_worker__'] = {
    config,
    environment: { name: 'node' },
    filepath: '',
    durations: {},
    onCancel() {},
  }
}

class Runner {
  static inject = ['options']
  runs = 0
  state = (globalThis['__stryker__'] ??= {})

  async init() {
    // Stryker's copy of the project, known only now.
    config.root = process.cwd()
    standIn()
    register('./load.mjs', import.meta.url)
    const [{ startTests }] = await Promise.all([import('@vitest/runner'), import('vitest')])
    this.startTests = startTests
    this.files = process.env.FLIGHTDECK_TESTS.split(' ')
    // The first run of this process may be one with a fault: what is computed on loading has to be computed without it.
    await this.run(this.files, () => false)
  }

  capabilities() {
    return { reloadEnvironment: false }
  }

  /** Ends with the first failure if `bail`. */
  async run(files, isWanted, bail = false) {
    const { state } = this
    const generation = (this.runs += 1)
    let failed = false
    return this.startTests(
      files.map((file) => join(config.root, file)),
      {
        config,
        // Each run collects the tests anew; what they test stays loaded.
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
      },
    )
  }

  results(files) {
    const broken = files.find(
      (file) => file.result?.state === 'fail' && !testsOf(file).some((test) => test.result?.state === 'fail'),
    )
    if (broken)
      return { status: 'error', errorMessage: `${broken.name}: ${broken.result.errors?.[0]?.stack ?? 'failed'}` }
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
    const result = this.results(await this.run(this.files, () => true))
    const coverage = this.state.mutantCoverage
    if (result.status !== 'complete' || !coverage) return result
    const tests = result.tests.filter(({ timeSpentMs, status }) => timeSpentMs < slowest || status === 1)
    const ids = new Set(tests.map(({ id }) => id))
    const perTest = Object.fromEntries(Object.entries(coverage.perTest).filter(([id]) => ids.has(id)))
    return { ...result, tests, mutantCoverage: { ...coverage, perTest } }
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, disableBail }) {
    const wanted = testFilter && new Set(testFilter)
    const files = this.files.filter((file) => !wanted || testFilter.some((id) => id.startsWith(`${file}#`)))
    Object.assign(this.state, {
      activeMutant: activeMutant.id,
      hitCount: hitLimit === undefined ? undefined : 0,
      hitLimit,
    })
    const result = this.results(await this.run(files, (id) => !wanted || wanted.has(id), !disableBail))
    this.state.activeMutant = undefined
    if (hitLimit !== undefined && this.state.hitCount > hitLimit)
      return { status: 'timeout', reason: 'goes on for ever' }
    if (result.status === 'error')
      return { status: 'killed', killedBy: [], failureMessage: result.errorMessage, nrOfTests: 0 }
    const killers = result.tests.filter(({ status }) => status === 1)
    const nrOfTests = result.tests.length
    if (killers.length === 0) return { status: 'survived', nrOfTests }
    return {
      status: 'killed',
      killedBy: killers.map(({ id }) => id),
      failureMessage: killers[0].failureMessage,
      nrOfTests,
    }
  }
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: Runner }]
