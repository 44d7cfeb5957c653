/**
 * The minimal shapes that screens need of Flightdeck's own responses. Only the pages that use them
 * load them.
 */
import {
  build,
  each,
  listOf,
  maybe,
  number,
  object,
  someNumber,
  someObject,
  someText,
  text,
  reasons,
  type Check,
} from './shapes.ts'

const some = object()

const stepCommands = object(
  each(text, 'name'),
  each(listOf(text), 'commands'),
  each(someObject, 'environment'),
  each(someText, 'settings'),
)
export const buildDetails: Check = object(
  each(maybe(object(each(text, 'path commit text'))), 'file'),
  each(maybe(listOf(object(each(text, 'name text')))), 'left_out'),
  each(
    maybe(
      listOf(
        object(
          each(text, 'stage'),
          each(someText, 'settings'),
          each(listOf(stepCommands), 'steps'),
          each(maybe(listOf(stepCommands)), 'services'),
        ),
      ),
    ),
    'waiting_stages',
  ),
  each(maybe(object(each(number, 'build'), each(text, 'text'))), 'approved'),
  each(listOf(build), 'attempts'),
)
/** `null`: the step has not passed before. */
export const knownLines: Check = maybe(object(each(number, 'build stage step'), each(text, 'lines')))
/** The schema describes the contents of `files`. */
export const commit: Check = object(each(text, 'sha message'), each(listOf(some), 'files'))

export const environmentRule: Check = object(each(text, 'name who'), each(maybe(listOf(text)), 'people'))
export const environment: Check = object(
  each(maybe(build), 'current'),
  each(maybe(object(each(text, 'branch sha'))), 'head'),
  each(listOf(build), 'items'),
  each(maybe(environmentRule), 'rule'),
)
export const comparison: Check = object(
  each(text, 'from to'),
  each(maybe(listOf(object(each(text, 'sha title author'), each(number, 'time')))), 'commits'),
  each(maybe(listOf(some)), 'files'),
)

const queueItem = object(each(number, 'stage_id build stage'), each(text, 'namespace name stage_name status'), reasons)
const runner = object(
  each(text, 'address version'),
  each(listOf(text), 'machines'),
  each(object(), 'filter'),
  each(number, 'asked places busy'),
  each(listOf(queueItem), 'runs'),
)
export const runners: Check = object(
  each(listOf(runner), 'runners'),
  each(listOf(queueItem), 'queue'),
  each(object(each(text, 'proto host')), 'rpc'),
)
export const runnerSecret: Check = object(each(text, 'secret'))

export const syncProgress: Check = object(
  each(someNumber, 'done total'),
  each(text, 'error'),
  each(number, 'refused_count'),
  each(listOf(text), 'refused'),
)
export const searchAnswer: Check = object(each(object(each(listOf(object(each(some, 'build'))), 'items')), 'builds'))
export const repoConnection: Check = object(
  each(text, 'acts_as status_error'),
  each(
    object(
      each(text, 'state error'),
      each(number, 'seen'),
      each(maybe(object(each(text, 'url secret content_type page'), each(listOf(text), 'events'))), 'manual'),
    ),
    'hook',
  ),
  each(object(each(number, 'fetched bytes'), each(text, 'error')), 'mirror'),
)
export const repoTimes: Check = object(
  each(listOf(some), 'builds'),
  each(listOf(object(each(Array.isArray, 'runs'))), 'steps'),
)
export const filteredBuilds: Check = object(each(listOf(build), 'items'), each(maybe(number), 'next'))
export const buildCounts: Check = object(each(number, 'total'), each(object(), 'statuses events'))
const lastBuild = object(each(number, 'number created started finished'), each(text, 'status message target'))
export const repoLastBuilds: Check = object(each(number, 'id'), each(listOf(lastBuild), 'builds'))
const usual = object(each(number, 'median low high'))
export const usualTimes: Check = object(each(listOf(usual), 'steps'), each(maybe(usual), 'build'))
const seen = object(each(number, 'times'), each(listOf(object(each(text, 'slug'))), 'places'))
export const buildHistory: Check = object(
  each(
    listOf(
      object(
        each(maybe(object(each(number, 'build'))), 'passed'),
        each(maybe(seen), 'seen'),
        each(maybe(object(each(number, 'count'), each(Array.isArray, 'mixed'))), 'runs'),
      ),
    ),
    'steps',
  ),
)
export const stepScript: Check = object(each(text, 'text'))
/** `null`: the step has never passed. */
export const stepChanges: Check = maybe(object(each(some, 'since'), each(maybe(listOf(some)), 'commits')))
const sourceText = object(each(Array.isArray, 'lines'))
export const sourceFile: Check = (value) =>
  object(each(text, 'kind'))(value) && ((value as { kind: string }).kind !== 'text' || sourceText(value))
export const sourceAuthors: Check = object(each(Array.isArray, 'lines'), each(listOf(some), 'commits'))
export const secretUses: Check = object(each(listOf(some), 'uses'))
export const cronTimes: Check = object(each(Array.isArray, 'times'))
const limits = object(each(number, 'build_days builds log_days log_mb'))
export const retention: Check = object(
  each(limits, 'own defaults'),
  each(number, 'next'),
  each(some, 'planned'),
  each(maybe(some), 'last'),
)
export const accessToken: Check = object(each(text, 'name'), each(number, 'id expires last_used'))
const wallBuild = object(each(number, 'number created started finished'), each(text, 'status title branch author why'))
export const wall: Check = object(
  each(text, 'name'),
  each(listOf(object(each(text, 'slug namespace name'), each(maybe(wallBuild), 'build'))), 'tiles'),
)
export const session: Check = object(each(text, 'agent'), each(number, 'id last_seen'))
export const auditPage: Check = object(
  each(
    listOf(object(each(text, 'user action target name'), each(number, 'id time'), each(someObject, 'details'))),
    'items',
  ),
  each(maybe(number), 'next'),
)
export const person: Check = object(each(text, 'login'))
