/** The gateway's metrics, added to those of the Drone server. */
import type { AnsweredCall } from '../interfaces/figures.ts'
import { createHistogram } from './histogram.ts'

const httpBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
const loopBounds = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** A call to the Drone server. */
interface SentCall {
  method: string
  /** Path and query. */
  target: string
  /** `null` for a call without a response. */
  status: number | null
  /** The time until the response head arrived or the call failed. */
  seconds: number
}

interface GatewayFigures {
  observe(call: AnsweredCall): void
  observeUpstream(call: SentCall): void
  /** A delay of the event loop, in milliseconds. */
  observeLoop(delayMs: number): void
  /** In the text format of Prometheus. */
  text(): string
}

/**
 * The first part of a path, so that external names create no series; `stream` and `rpc` are long
 * requests.
 */
const areaOf = (target: string): string =>
  /^\/(api\/stream|api|rpc|hook|login|logout|link|metrics|version|varz)(?=[/?]|$)/
    .exec(target)?.[1]
    ?.replace('api/', '') ?? 'other'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const methodOf = (method: string): string => (methods.has(method) ? method : 'other')

export function createGatewayFigures(): GatewayFigures {
  const upstream = createHistogram(
    'flightdeck_upstream_request_duration_seconds',
    'Time until the Drone server began to answer, by method, area and status; status "none" means no answer.',
    httpBounds,
  )
  const http = createHistogram(
    'flightdeck_http_request_duration_seconds',
    'Time to the first byte of a response, by method and status.',
    httpBounds,
  )
  const loop = createHistogram(
    'flightdeck_event_loop_delay_seconds',
    'Event loop delay, sampled 50 times a second.',
    loopBounds,
  )
  return {
    observe: ({ method, status, seconds }) => http.observe(seconds, `method="${methodOf(method)}",status="${status}"`),
    observeUpstream: ({ method, target, status, seconds }) =>
      upstream.observe(seconds, `method="${methodOf(method)}",area="${areaOf(target)}",status="${status ?? 'none'}"`),
    observeLoop: (delayMs) => loop.observe(delayMs / 1000),
    text: () => upstream.text() + http.text() + loop.text(),
  }
}
