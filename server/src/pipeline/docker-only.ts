/**
 * Settings that only docker pipelines use (docs/api §6.2, §6.4); pipelines of other types report
 * them.
 */
import { isMap, isScalar, isSeq } from 'yaml'
import { written, type Decoder, type Entries } from './decode.ts'
import type { PipelineDoc } from './doc.ts'

/** Keys that pipelines of type exec ignore. */
export const dockerOnlyKeys = {
  pipeline: ['services', 'volumes', 'workspace', 'image_pull_secrets'],
  clone: ['retries'],
  /** Without `image`: an exec runner refuses it. */
  step: [
    'settings',
    'volumes',
    'privileged',
    'pull',
    'command',
    'entrypoint',
    'user',
    'working_dir',
    'ports',
    'network_mode',
    'devices',
    'dns',
    'dns_search',
    'extra_hosts',
    'resources',
    'shm_size',
    'mem_limit',
    'memswap_limit',
  ],
} as const

/**
 * Whether the key is set to a value; an empty list does not count. The type and the cost of reading
 * are checked elsewhere.
 */
const isSet = ({ document }: Decoder, entries: Entries, key: string): boolean => {
  const value = document.resolve(entries.get(key))
  if (isSeq(value) || isMap(value)) return value.items.length > 0
  return isScalar(value) && !/^(|~|null|false|no|off|0)$/i.test(written(value).slice(0, 10))
}

/** Left out if empty. */
export const dockerOnly = (
  decoder: Decoder,
  of: keyof typeof dockerOnlyKeys,
  entries: Entries | null,
): { dockerOnly?: readonly string[] } => {
  const found = entries ? dockerOnlyKeys[of].filter((key) => isSet(decoder, entries, key)) : []
  return found.length > 0 ? { dockerOnly: found } : {}
}

/** The list is shown in the page, and its content is untrusted. */
const maxNames = 20
const maxNameLength = 60

/** Describes the settings that an exec pipeline ignores. */
export const ignoredIn = (doc: PipelineDoc): string[] => {
  const all = [
    ...(doc.dockerOnly ?? []),
    ...(doc.clone.dockerOnly ?? []).map((key) => `${key} of clone`),
    ...doc.steps.flatMap((step) =>
      (step.dockerOnly ?? []).map((key) => `${key} of ${step.name.slice(0, maxNameLength) || 'a step'}`),
    ),
  ]
  return all.length <= maxNames ? all : [...all.slice(0, maxNames), `${all.length - maxNames} more`]
}
