/**
 * Extracts a program's line from the prefixes of loggers, parallel job runners and remote machines.
 */

/** Timestamps, container names, frames, markers of other systems. */
const prefix =
  /^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?[.,\dZ+-]{0,16}\]?:?\s+(?:UTC (?:\[\d+\] )?)?|\[?\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?: [AP]M)?\]?\s+|\[[\w-]{1,40}\] › |#\d+ (?:\d+\.\d+ )?|\[\d+(?:\/\d+)?\]\s+|\[!\] |[A-Za-z][\w.-]{0,60} +\| |[│|╷╵┃] ?|\s+[|│] (?=[\w.]{1,80}(?:Error|Exception): )|# (?=\w{0,40}(?:Error|Exception)\b)|##\[error\]|::error[^:]{0,200}::|\[info\] (?=\s*- |\s*\*|\S+:$| {2}))/

const errorLevels = /^(?:e|err|error|fatal|crit|critical|panic|emerg|emergency|alert|severe|dpanic|[56]0)$/i
const warnLevels = /^(?:w|warn|warning|40)$/i

const worded = (level: string, message: string): string => {
  if (errorLevels.test(level)) return `error: ${message}`
  return warnLevels.test(level) ? `warning: ${message}` : `info: ${message}`
}

const levelKeys = ['level', 'severity', 'lvl', 'log.level', 'levelname', 'loglevel', '@level', 'Level']
const messageKeys = ['msg', 'message', 'Message', '@message', 'event', 'text', 'Output']
const errorKeys = ['error', 'err', 'exception', 'reason', 'detail']

type Fields = ReadonlyMap<string, unknown>

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object' && value !== null && 'message' in value) return textOf(value.message)
  return ''
}

const firstOf = (fields: Fields, keys: readonly string[]): string =>
  keys.map((key) => textOf(fields.get(key))).find((text) => text !== '') ?? ''

const fieldsOf = (line: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined
  } catch {
    return undefined
  }
}

/**
 * A structured log line: `{"level":"error","msg":…}`, and `go test -json`, which has the text in
 * `Output`.
 */
const fromJson = (line: string): string | undefined => {
  const fields = fieldsOf(line)
  if (!fields) return undefined
  const level = firstOf(fields, levelKeys)
  const message = firstOf(fields, messageKeys).trimEnd()
  const error = firstOf(fields, errorKeys)
  const description = message !== '' && error !== '' ? `${message}: ${error}` : message || error
  if (description === '') return fields.get('Action') === 'fail' ? 'FAILED' : undefined
  if (
    level === '' &&
    (fields.get('ok') === false || fields.get('success') === false || textOf(fields.get('error')) !== '')
  )
    return `error: ${description}`
  return level === '' ? (description.split('\n')[0] ?? description) : worded(level, description)
}

const levelField = /(?:^|\s)(?:level|lvl|severity)="?(\w{1,12})"?(?:\s|$)/
const messageField = /(?:^|\s)(?:msg|message)=(?:"((?:[^"\\]|\\.){1,600})|(\S+))/
const errorField = /(?:^|\s)(?:err|error)=(?:"((?:[^"\\]|\\.){1,600})|(\S+))/

/** `level=error msg="…" err="…"`. */
const fromFields = (line: string): string | undefined => {
  const level = levelField.exec(line)?.[1]
  if (level === undefined) return undefined
  const [message, error] = [messageField.exec(line), errorField.exec(line)].map((found) => found?.[1] ?? found?.[2])
  return worded(level, [message, error].filter((text) => text !== undefined).join(': ') || line)
}

/**
 * The format of Kubernetes programs: a letter and the day, the time, a number, a source position.
 */
const klog = /^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d{1,9} +\d{1,9} \S{1,80}:\d+\] /

export const unwrap = (line: string): string => {
  let text = line
  for (let times = 0; times < 3; times++) {
    const stripped = text.replace(prefix, '')
    if (stripped === text) break
    text = stripped
  }
  if (text.startsWith('{"')) return fromJson(text) ?? text
  const letter = klog.exec(text)
  if (letter) return worded(letter[1] ?? '', text.replace(klog, ''))
  return text.includes('=') ? (fromFields(text) ?? text) : text
}

/**
 * A prefix that names the program: `[job 23] …`, `packages/c test: …`, `web:build: …`, `api-1 …`.
 * It may be part of the message, so it is removed only if the rest scores higher.
 */
const label =
  /^(?!\W*(?:warn|info|debug|note|notice|hint|help|trace|verbose|deprecat))(?:\[[\w@/.: -]{1,60}\]:? +|[\w@/.-]{1,60}(?:[ :][\w:@/.-]{1,40})?(?:: |> |\$ ))(?=\S)/i

export const withoutLabel = (text: string): string | undefined => {
  const rest = text.replace(label, '')
  return rest === text ? undefined : rest
}
