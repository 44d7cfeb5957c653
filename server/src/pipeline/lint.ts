/**
 * Errors that the server reports for a file before it creates stages (docs/api §6.1 "Server lint").
 */
import { checkDependencies } from './dependencies.ts'
import { ConfigError, stageName } from './doc.ts'
import type { PipelineDoc, FilePosition } from './doc.ts'

export { lintExec } from './lint-exec.ts'

const operatingSystems = new Set(['', 'linux', 'windows'])
const architectures = new Set(['', 'arm', 'arm64', 'amd64', 'ppc64le', 's390x'])

/** The server knows only the platforms of docker pipelines. */
const lintPlatform = ({ type, platform }: PipelineDoc, pipeline: number): void => {
  if (type !== 'docker') return
  if (!operatingSystems.has(platform.os)) {
    throw new ConfigError(`linter: unsupported os: ${platform.os}`, { pipeline, path: ['platform', 'os'] })
  }
  if (!architectures.has(platform.arch)) {
    throw new ConfigError(`linter: unsupported architecture: ${platform.arch}`, {
      pipeline,
      path: ['platform', 'arch'],
    })
  }
}

/** Drone's text, with details added: `b` → `b, which is not in the file`. */
const unknownDependency = (
  doc: PipelineDoc,
  dependency: string,
  all: readonly PipelineDoc[],
  at: FilePosition,
): ConfigError => {
  const later = all.some((other) => stageName(other) === dependency)
  const why = later ? 'a pipeline can only depend on pipelines defined before it' : 'no pipeline has this name'
  return new ConfigError(
    `linter: invalid or unknown pipeline dependency: "${stageName(doc)}" depends on "${dependency}", but ${why}`,
    at,
  )
}

/** Throws `ConfigError` for the first error. Every cycle contains a dependency on a later item. */
export const lint = (docs: readonly PipelineDoc[]): void => {
  checkDependencies(
    'the pipelines of the file',
    docs.map((doc) => doc.depends_on),
  )
  const names = new Set<string>()
  for (const [pipeline, doc] of docs.entries()) {
    const name = stageName(doc)
    if (names.has(name)) throw new ConfigError('linter: duplicate pipeline names', { pipeline, path: ['name'] })
    names.add(name)
    lintPlatform(doc, pipeline)
    const stepLists = doc.steps.map((step) => step.depends_on)
    checkDependencies(`the steps of pipeline "${name}"`, stepLists, { pipeline, path: ['steps'] })
    for (const [index, dependency] of doc.depends_on.entries()) {
      const at: FilePosition = { pipeline, path: ['depends_on', index] }
      if (dependency === name) throw new ConfigError('linter: pipeline cannot have a dependency on itself', at)
      if (!names.has(dependency)) throw unknownDependency(doc, dependency, docs, at)
    }
  }
}
