/**
 * The only file that reads flags and environment and handles signals (architecture.md,
 * "Structure").
 */
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { markVariable } from './machine/process-mark.ts'
import { StartError } from './lib/start-error.ts'
import { runBackupCommand } from './startup/backup-commands.ts'
import { runCompactCommand } from './startup/compact-command.ts'
import { createShutdown } from './startup/shutdown.ts'
import { createFaults } from './startup/unhandled-errors.ts'
import { configureLog, writeLog } from './lib/log.ts'
import { logJson, logLine } from './lib/log-line.ts'
import { startGateway } from './gateway-server.ts'
import { droneNames, unusedDroneWords } from './options/drone.ts'
import { helpText } from './options/help.ts'
import { describeGiven, parseOptions, type Options } from './options/options.ts'
import { UsageError } from './options/values.ts'
import { startServer, type RunningServer } from './server.ts'
import { version } from './lib/version.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const complain = (text: string) => process.stderr.write(`${text}\n`)
const openLog = ({ logFormat, logLevel }: Pick<Options, 'logFormat' | 'logLevel'>): void =>
  configureLog(logLevel, (level, message, error) =>
    complain(logFormat === 'json' ? logJson(message, error, new Date(), level) : logLine(message, error)),
  )
/** An entry with an error has level `error`. */
const log = (message: string, error?: unknown) => writeLog(error === undefined ? 'info' : 'error', message, error)

function checkRepos({ repos }: Options): void {
  if (repos === undefined) return
  if (!existsSync(repos)) throw new UsageError(`The repositories folder ${repos} does not exist (--repos)`)
  if (!statSync(repos).isDirectory()) throw new UsageError(`${repos} is not a folder (--repos)`)
}

function announce(options: Options, server: RunningServer): void {
  const lines = [
    `Flightdeck ${version} is ready: ${server.publicUrl}`,
    `  data      ${options.data}`,
    ...server.work.map((line) => `  ${line}`),
  ]
  const { administrator } = server
  if (administrator?.passwordFile) {
    lines.push(`  sign in   ${administrator.user.login}, with the password in ${administrator.passwordFile}`)
  }
  for (const problem of server.problems) lines.push(`  note      ${problem}`)
  for (const [index, step] of server.next.entries()) lines.push(`  ${index === 0 ? 'next' : '    '}      ${step}`)
  say(`\n${lines.join('\n')}\n`)
}

interface Given {
  args: readonly string[]
  /** For the backup. */
  settings: Record<string, string>
}

/** A closed terminal or pipe (`| head`) must not end the server. */
function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

async function run(options: Options, { args, settings }: Given): Promise<void> {
  openLog(options)
  checkRepos(options)
  // Both in server/src and, bundled, in server/dist.
  const webRoot = join(import.meta.dirname, '../../web/dist')
  const workerScript = join(import.meta.dirname, 'pipeline-worker.js')
  const spawnerScript = join(import.meta.dirname, 'spawner.js')
  const shutdown = createShutdown({ drainSeconds: options.drainTimeout, log, exit: () => process.exit(0) })
  const faults = createFaults(log)
  process.on('SIGTERM', () => shutdown.drain())
  process.on('SIGINT', () => shutdown.now())
  // The terminal was closed: ends steps and logs as at any stop.
  process.on('SIGHUP', () => shutdown.now())
  const given = { ...options, args, version, webRoot, workerScript, spawnerScript, log, faults: () => faults.count() }
  const server = await (options.server === undefined
    ? startServer(given)
    : startGateway({ ...given, server: options.server }))
  process.on('unhandledRejection', (error) => faults.add('unhandled rejection', error))
  process.on('uncaughtException', (error) => faults.add('uncaught exception', error))
  if (options.server === undefined) keepSettings(options.data, settings)
  if (await shutdown.started(server)) return
  announce(options, server)
}

/** Moving the server to another machine needs its settings, too. They contain no secrets. */
function keepSettings(data: string, settings: Given['settings']): void {
  try {
    writeFileSync(join(data, 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    log('The settings could not be written for the next backup', error)
  }
}

/** Removes the settings from the environment, so that no started program sees their secrets. */
function takeSettings(args: readonly string[]): Options {
  const options = parseOptions(args, process.env)
  const unused = unusedDroneWords(process.env)
  if (unused) complain(unused)
  for (const name of Object.keys(process.env))
    if ((name.startsWith('FLIGHTDECK_') && name !== markVariable) || droneNames.includes(name)) delete process.env[name]
  return options
}

// Used until the options are read.
openLog({ logFormat: 'text', logLevel: 'info' })
try {
  outliveOutput()
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) say(helpText())
  else if (args.includes('--version')) say(version)
  else if (runCompactCommand(args, { environment: process.env, say })) process.exitCode = 0
  else if (!(await runBackupCommand(args, { environment: process.env, version, say }))) {
    const settings = describeGiven(args, process.env)
    await run(takeSettings(args), { args, settings })
  }
} catch (error) {
  if (error instanceof UsageError) complain(error.message)
  else if (error instanceof StartError) complain(error.message)
  else log('Flightdeck could not start', error)
  process.exit(error instanceof UsageError ? 2 : 1)
}
