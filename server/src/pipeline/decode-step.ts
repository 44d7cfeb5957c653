/**
 * One step or service (docs/api §6.4). For keys that only docker pipelines use, only the type is
 * checked.
 */
import { isMap, isScalar } from 'yaml'
import type { Node } from 'yaml'
import { readConditions } from './decode-conditions.ts'
import { written } from './decode.ts'
import type { Decoder, Entries } from './decode.ts'
import { dockerOnly } from './docker-only.ts'
import type { EnvironmentValue, StepDoc } from './doc.ts'

const readVariable = (decoder: Decoder, node: Node | null): EnvironmentValue => {
  const value = decoder.present(node)
  if (!value) return ''
  if (isScalar(value)) return written(value)
  const entries = decoder.struct(value, 'yaml.Variable')
  const secret = decoder.text(entries?.get('from_secret'))
  return secret ? { from_secret: secret } : decoder.text(entries?.get('value'))
}

const readEnvironment = (decoder: Decoder, node: Node | null | undefined): Record<string, EnvironmentValue> => {
  const entries = decoder.struct(node, 'map[string]*yaml.Variable')
  return Object.fromEntries([...(entries ?? [])].map(([key, value]) => [key, readVariable(decoder, value)]))
}

/** The server does not check the pipeline's own environment: values of other types are left out. */
export const readSharedEnvironment = (decoder: Decoder, node: unknown): Record<string, EnvironmentValue> => {
  const value = decoder.present(node)
  if (!isMap(value)) return {}
  const entries = [...(decoder.struct(value, 'map[string]string') ?? [])]
  const readable = entries.filter(
    ([, item]) => isScalar(item) || (isMap(item) && isScalar(item.get('from_secret', true))),
  )
  return Object.fromEntries(readable.map(([key, item]) => [key, readVariable(decoder, item)]))
}

const dockerTexts = ['network_mode', 'pull', 'shell', 'user', 'working_dir'] as const
const dockerLists = ['command', 'dns', 'dns_search', 'entrypoint', 'extra_hosts'] as const

const checkDockerKeys = (decoder: Decoder, entries: Entries): void => {
  for (const key of dockerTexts) decoder.text(entries.get(key))
  for (const key of dockerLists) decoder.texts(entries.get(key))
  decoder.flag(entries.get('privileged'))
  decoder.struct(entries.get('settings'), 'map[string]*yaml.Parameter')
  decoder.struct(entries.get('resources'), 'yaml.Resources')
  decoder.list(entries.get('ports'), '[]*yaml.Port')
  for (const item of decoder.list(entries.get('devices'), '[]*yaml.VolumeDevice')) {
    decoder.struct(item, 'yaml.VolumeDevice')
  }
  for (const item of decoder.list(entries.get('volumes'), '[]*yaml.VolumeMount')) {
    decoder.struct(item, 'yaml.VolumeMount')
  }
}

export const readStep = (decoder: Decoder, node: Node | null): StepDoc => {
  const entries: Entries = decoder.struct(node, 'yaml.Container') ?? new Map<string, Node | null>()
  checkDockerKeys(decoder, entries)
  const image = decoder.text(entries.get('image'))
  return {
    name: decoder.text(entries.get('name')),
    commands: decoder.texts(entries.get('commands')),
    environment: readEnvironment(decoder, entries.get('environment')),
    depends_on: decoder.texts(entries.get('depends_on')),
    when: readConditions(decoder, entries.get('when')),
    failure: decoder.text(entries.get('failure')),
    detach: decoder.flag(entries.get('detach')),
    ...(image ? { image } : {}),
    ...dockerOnly(decoder, 'step', entries),
  }
}
