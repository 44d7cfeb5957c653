/** The server's own log, for parts that are handed no `log`: `main.ts` says where entries go, and from which level on. */

export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]
export type LogWriter = (level: LogLevel, message: string, error?: unknown) => void

const toConsole: LogWriter = (_level, message, error) =>
  error === undefined ? console.error(message) : console.error(`${message}:`, error)

let writer = toConsole
let maxLevel = logLevels.indexOf('info')

/** Entries of less weight than `level` are dropped from now on. */
export function configureLog(level: LogLevel, to: LogWriter): void {
  maxLevel = logLevels.indexOf(level)
  writer = to
}

export const isLogged = (level: LogLevel): boolean => logLevels.indexOf(level) <= maxLevel

export function writeLog(level: LogLevel, message: string, error?: unknown): void {
  if (isLogged(level)) writer(level, message, error)
}

export const logError = (message: string, error?: unknown): void => writeLog('error', message, error)
