/**
 * The minimal shapes that screens need of responses: small enough for every page. The schemas check
 * the rest of the contract in tests (schema.ts).
 */
export type Check = (value: unknown) => boolean

export const text: Check = (value) => typeof value === 'string'
export const number: Check = (value) => typeof value === 'number'
/** Absent or `null`, which Go servers write for empty values (docs/api §1). */
export const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value)

export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

export const each =
  (check: Check, names: string): Check =>
  (value) =>
    names.split(' ').every((name) => check((value as Record<string, unknown>)[name]))

/** An object that passes every check. */
export const object =
  (...checks: Check[]): Check =>
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && checks.every((check) => check(value))

export const someText = maybe(text)
export const someNumber = maybe(number)
export const someObject = maybe(object())
const times = each(someNumber, 'started stopped created exit_code version')

/** Flightdeck only. */
export const reasons = each(maybe(object(each(text, 'text'), each(someNumber, 'at'))), 'waiting ended')
const excerpt = object(each(number, 'line'), each(listOf(object(each(number, 'number'), each(text, 'text'))), 'lines'))
const excerpts = each(maybe(listOf(excerpt)), 'excerpts')
const step = object(
  each(number, 'number'),
  each(text, 'name status'),
  each(someText, 'error'),
  each(maybe(listOf(text)), 'depends_on'),
  reasons,
  times,
)
const stage = object(
  each(number, 'number'),
  each(text, 'name status'),
  each(someText, 'error approved_by declined_by'),
  each(maybe(listOf(text)), 'depends_on ignored'),
  excerpts,
  each(maybe(listOf(step)), 'steps'),
  reasons,
  each(maybe(listOf(object(each(text, 'name text')))), 'left_out'),
  times,
)

export const build: Check = object(
  each(number, 'number'),
  each(text, 'status'),
  each(
    someText,
    'event action link title message before after ref source target author_login author_name author_avatar sender trigger deploy_to cron error actor canceled_by declined_by',
  ),
  each(someNumber, 'started finished created updated version parent'),
  each(someObject, 'params'),
  each(maybe(listOf(stage)), 'stages'),
  excerpts,
  reasons,
)
export const repo: Check = object(
  each(text, 'namespace name'),
  each(someText, 'slug default_branch visibility config_path link'),
  each(someNumber, 'counter timeout version'),
  each(someObject, 'permissions'),
  each(maybe(build), 'build'),
)
const withBuild: Check = each(build, 'build')
/** An item of the recent list, and an event of `/api/stream` (docs/api §1.16). */
export const repoWithBuild: Check = (value) => repo(value) && withBuild(value)
/** With the slug, which lists sort and filter by. */
export const listedRepo: Check = (value) => repo(value) && each(text, 'slug')(value)
/** A repository list, or the top of one. */
export const reposOrTop: Check = (value) =>
  maybe(listOf(listedRepo))(value) ||
  object(each(number, 'total active parts'), each(text, 'list'), each(listOf(listedRepo), 'repos'))(value)

const login = each(text, 'login')
export const user: Check = object(
  login,
  each(someText, 'email avatar'),
  each(someNumber, 'id created last_login'),
  each(maybe(listOf(text)), 'capabilities'),
)
export const withToken: Check = object(each(text, 'token'))
export const secret: Check = object(each(someText, 'name type'))
export const cron: Check = object(
  each(text, 'name'),
  each(someText, 'expr branch error'),
  each(someNumber, 'next failed'),
)
export const line: Check = object(each(number, 'pos time'), each(text, 'out'))
export const collaborator: Check = object(login)
