/**
 * The server's own log, for modules without a `log` parameter. `main.ts` configures its output and
 * level.
 */

export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]
export type LogWriter = (level: LogLevel, message: string, error?: unknown) => void

const toConsole: LogWriter = (_level, message, error) =>
  error === undefined ? console.error(message) : console.error(`${message}:`, error)

let writer = toConsole
let maxLevel = logLevels.indexOf('info')

/** Drops entries below `level` from now on, and writes the others to `to`. */
export function configureLog(level: LogLevel, to: LogWriter = toConsole): void {
  maxLevel = logLevels.indexOf(level)
  writer = to
}

export const isLogged = (level: LogLevel): boolean => logLevels.indexOf(level) <= maxLevel

export function writeLog(level: LogLevel, message: string, error?: unknown): void {
  if (isLogged(level)) writer(level, message, error)
}

export const logError = (message: string, error?: unknown): void => writeLog('error', message, error)
