/** One pipeline document (docs/api §6.2). */
import type { Node } from 'yaml'
import { readConditions } from './decode-conditions.ts'
import { readSharedEnvironment, readStep } from './decode-step.ts'
import type { Decoder, Entries } from './decode.ts'
import { dockerOnly } from './docker-only.ts'
import { ConfigError } from './doc.ts'
import type { PipelineDoc, StepDoc } from './doc.ts'
import { limits } from './documents.ts'

const readSteps = (decoder: Decoder, node: Node | null | undefined): StepDoc[] => {
  const items = decoder.list(node, '[]*yaml.Container')
  if (items.length > limits.steps) throw new ConfigError(`yaml: a pipeline has more than ${limits.steps} steps`)
  return items.map((item) => readStep(decoder, item))
}

const readClone = (decoder: Decoder, node: Node | null | undefined): PipelineDoc['clone'] => {
  const entries = decoder.struct(node, 'yaml.Clone')
  const depth = Math.max(0, decoder.number(entries?.get('depth')))
  decoder.flag(entries?.get('skip_verify'))
  return { disable: decoder.flag(entries?.get('disable')), depth, ...dockerOnly(decoder, 'clone', entries) }
}

const readPlatform = (decoder: Decoder, node: Node | null | undefined): PipelineDoc['platform'] => {
  const entries = decoder.struct(node, 'yaml.Platform')
  return {
    os: decoder.text(entries?.get('os')),
    arch: decoder.text(entries?.get('arch')),
    variant: decoder.text(entries?.get('variant')),
    version: decoder.text(entries?.get('version')),
  }
}

const checkDockerKeys = (decoder: Decoder, entries: Entries): void => {
  const workspace = decoder.struct(entries.get('workspace'), 'yaml.Workspace')
  decoder.text(workspace?.get('base'))
  decoder.text(workspace?.get('path'))
  decoder.texts(entries.get('image_pull_secrets'))
  readSteps(decoder, entries.get('services'))
  for (const item of decoder.list(entries.get('volumes'), '[]*yaml.Volume')) decoder.struct(item, 'yaml.Volume')
}

export const readPipeline = (decoder: Decoder, entries: Entries, kind: string): PipelineDoc => {
  checkDockerKeys(decoder, entries)
  const type = decoder.text(entries.get('type')) || 'docker'
  return {
    kind,
    type: kind === 'pipeline' ? type : '',
    name: decoder.text(entries.get('name')),
    platform: readPlatform(decoder, entries.get('platform')),
    node: decoder.textMap(entries.get('node')),
    concurrency: {
      limit: decoder.number(decoder.struct(entries.get('concurrency'), 'yaml.Concurrency')?.get('limit')),
    },
    depends_on: decoder.texts(entries.get('depends_on')),
    trigger: readConditions(decoder, entries.get('trigger')),
    clone: readClone(decoder, entries.get('clone')),
    ...dockerOnly(decoder, 'pipeline', entries),
    environment: readSharedEnvironment(decoder, entries.get('environment')),
    steps: readSteps(decoder, entries.get('steps')),
  }
}
