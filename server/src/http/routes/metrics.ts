/** The figures for Prometheus, for administrators and machine accounts (docs/api §2.10). */
import { countEndedBuilds, type EndedBuilds } from '../../store/ended-builds.ts'
import { countAll, countBlockedBuilds, findOldestPending, type Counts } from '../../store/stats.ts'
import type { Ci } from '../../interfaces/ci.ts'
import type { Db } from '../../store/open.ts'
import { plainText } from '../responses.ts'
import { carriesCredentials } from '../authenticate.ts'
import { addressOf, type Call, type Handler, type HttpDependencies, type MetricsAccess } from '../context.ts'

const gauges: readonly (readonly [name: string, help: string, value: (counts: Counts) => number])[] = [
  ['drone_build_count', 'Total number of builds.', ({ builds }) => builds.total],
  ['drone_pending_builds', 'Total number of pending builds.', ({ builds }) => builds.pending],
  ['drone_pending_jobs', 'Total number of pending jobs.', ({ stages }) => stages.pending],
  ['drone_repo_count', 'Total number of registered repositories.', ({ repos }) => repos.active],
  ['drone_running_builds', 'Total number of running builds.', ({ builds }) => builds.running],
  ['drone_running_jobs', 'Total number of running jobs.', ({ stages }) => stages.running],
  ['drone_user_count', 'Total number of active users.', ({ users }) => users],
]

/** Of this process, under the names that every Prometheus client library gives them. */
function processFigures(): string {
  const { user, system } = process.cpuUsage()
  const started = Math.round(Date.now() / 1000 - process.uptime())
  return [
    '# HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.',
    '# TYPE process_cpu_seconds_total counter',
    `process_cpu_seconds_total ${(user + system) / 1e6}`,
    '# HELP process_resident_memory_bytes Resident memory size in bytes.',
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    '# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.',
    '# TYPE process_start_time_seconds gauge',
    `process_start_time_seconds ${started}`,
    '',
  ].join('\n')
}

const faultFigure = (count: number): string =>
  [
    '# HELP flightdeck_unhandled_errors_total Uncaught errors; each is logged with its stack trace.',
    '# TYPE flightdeck_unhandled_errors_total counter',
    `flightdeck_unhandled_errors_total ${count}`,
    '',
  ].join('\n')

const gauge = (name: string, help: string, value: number): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`

async function endedFigures(ended: EndedBuilds): Promise<string> {
  const rows = [...(await ended.count())].map(
    ([status, count]) => `flightdeck_builds_ended_total{status="${status}"} ${count}\n`,
  )
  const name = 'flightdeck_builds_ended_total'
  return `# HELP ${name} Builds that have ended, by status.\n# TYPE ${name} counter\n${rows.join('')}`
}

async function queueFigures(db: Db, now: () => number): Promise<string> {
  const since = await findOldestPending(db)
  const seconds = since === null ? 0 : Math.max(0, now() - since)
  return (
    gauge('flightdeck_blocked_builds', 'Builds that are waiting for approval.', await countBlockedBuilds(db)) +
    gauge('flightdeck_queue_oldest_seconds', 'How long the longest-waiting stage has been pending.', seconds)
  )
}

const readerFigures = ({ events, logs }: Ci): string =>
  gauge('flightdeck_event_readers', 'Open streams of build events.', events.subscribers()) +
  gauge(
    'flightdeck_log_readers',
    'Open streams of logs.',
    Object.values(logs.readers()).reduce((sum, count) => sum + count, 0),
  )

/**
 * Headers that a proxy adds: the request then came from another machine, even if the socket is
 * local.
 */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

function isOpen(c: Call, access: MetricsAccess): boolean {
  if (access !== 'loopback') return access === 'anyone'
  const address = addressOf(c, { trustProxy: false }).replace(/^::ffff:/, '')
  return /^(127\.|::1$)/.test(address) && forwarding.every((name) => c.req.header(name) === undefined)
}

async function refuse(c: Call): Promise<Response | null> {
  const user = c.get('user')
  if (!user && !(await carriesCredentials(c))) return plainText('Invalid or missing prometheus token\n', 401)
  return user?.admin || user?.machine ? null : plainText('Access denied\n', 403)
}

export function metricsRoutes({ store: { db }, ci, faults, figures, metricsAccess, now }: Required<HttpDependencies>) {
  const ended = countEndedBuilds(db)
  return {
    'GET /metrics': async (c) => {
      const refusal = isOpen(c, metricsAccess) ? null : await refuse(c)
      if (refusal) return refusal
      const counts = await countAll(db)
      const text = gauges.map(([name, help, value]) => gauge(name, help, value(counts)))
      return new Response(
        text.join('') +
          (await endedFigures(ended)) +
          (await queueFigures(db, now)) +
          readerFigures(ci) +
          (await figures.text()) +
          faultFigure(faults()) +
          processFigures(),
        {
          headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
        },
      )
    },
  } satisfies Record<string, Handler>
}
