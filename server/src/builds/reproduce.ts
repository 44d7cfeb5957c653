/**
 * Generates a script that reproduces a step elsewhere. Nearly all of its content is untrusted – the
 * pipeline file, the commit, parameters – so each is quoted, and comments are one line.
 */
import type { Build, Repo, Stage, Step } from '@flightdeck/api'
import type { StepText } from '../pipeline-files/jobs.ts'
import type { EnvironmentValue } from '../pipeline/doc.ts'
import { findBuildByNumber, findConfig } from '../store/builds.ts'
import { Refusal } from '../lib/refusal.ts'
import { loadBuild, required, type CiContext } from './context.ts'
import { ConfigError } from '../pipeline/doc.ts'
import { stepEnvironment, substitutionVariables } from '../pipeline/environment.ts'
import { quote, stepScript } from '../pipeline/shell.ts'

interface Reproduced {
  repo: Repo
  build: Build
  stage: Stage
  step: Step
  text: StepText
  system: { proto: string; host: string; link: string; version: string }
  /** Unix seconds. */
  now: number
}

/** Turns any text into one comment line. */
const comment = (text: string): string => `# ${text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500)}`

const isName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
/** Would change how the script itself runs, or cannot be set in some shells. */
const reserved = new Set([
  'PATH',
  'HOME',
  'IFS',
  'PWD',
  'UID',
  'EUID',
  'PPID',
  'SHELLOPTS',
  'BASHOPTS',
  'BASH_VERSINFO',
  'ENV',
  'BASH_ENV',
])
/**
 * Would change which code docker and the shell are here, outside of any container: a file of the
 * commit, another machine.
 */
const ofPrograms = /^(?:LD|DYLD|DOCKER|BUILDKIT)_/
/** What docker takes for the name of an image, and never for an option. */
const isImage = (image: string): boolean => /^[\w][\w./:@-]{0,400}$/.test(image)

const variableLines = (all: Readonly<Record<string, EnvironmentValue>>): { lines: string[]; names: string[] } => {
  const lines: string[] = []
  const names: string[] = []
  for (const [name, value] of Object.entries(all)) {
    if (!isName(name) || reserved.has(name) || ofPrograms.test(name)) {
      lines.push(comment(`Not set, because a script cannot set it safely: ${name}`))
      continue
    }
    names.push(name)
    if (typeof value === 'string') lines.push(`export ${name}=${quote(value.replaceAll('\0', ''))}`)
    else {
      lines.push(comment(`The secret ${value.from_secret}: set ${name} before you run this.`))
      lines.push(`export ${name}="\${${name}-}"`)
      lines.push(`[ -n "$${name}" ] || echo ${quote(`${name} is empty: it is the secret ${value.from_secret}`)} >&2`)
    }
  }
  return { lines, names }
}

const checkout = ({ repo, build }: Reproduced): string[] => {
  const sha = quote(build.after)
  return [
    comment('Run this in a clone of the repository, or pass a clone URL as the first argument.'),
    'from=${1:-}',
    `if [ -z "$from" ] && git cat-file -e ${quote(`${build.after}^{commit}`)} 2>/dev/null; then`,
    '  from=$(git rev-parse --path-format=absolute --git-common-dir)',
    'fi',
    `[ -n "$from" ] || from=${quote(repo.git_http_url)}`,
    'folder=$(mktemp -d)',
    'cd "$folder"',
    'git init -q',
    `git fetch -q -- "$from" ${sha} || git fetch -q -- "$from" '+refs/*:refs/from/*'`,
    `git checkout -q --detach ${sha}`,
    `echo "The commit is in $folder" >&2`,
  ]
}

const running = ({ text }: Reproduced, names: readonly string[]): string[] => {
  const script = stepScript(text.commands)
  if (text.type !== 'docker') {
    const others =
      text.type === 'exec' ? [] : [comment(`The pipeline has type ${text.type}; its commands run unchanged here.`)]
    return [...others, `sh -c ${quote(script)}`]
  }
  if (!isImage(text.image)) return [comment(`${text.image} is not a valid image name`), `sh -c ${quote(script)}`]
  const variables = names.map((name) => `-e ${name}`).join(' ')
  return [
    `docker run --rm -v "$PWD:/drone/src" -w /drone/src ${variables} --entrypoint /bin/sh ${quote(text.image)} -c ${quote(script)}`,
  ]
}

const scriptOf = (given: Reproduced): string => {
  const { repo, build, stage, step, text, system, now } = given
  const environment = stepEnvironment({ system, repo, build, stage, step, now })
  const { lines, names } = variableLines({ ...environment, ...text.environment })
  const before =
    text.before.length === 0 ? [] : [comment(`Earlier steps that this one may depend on: ${text.before.join(', ')}`)]
  return [
    '#!/bin/sh',
    comment(`Step ${step.name} of ${stage.name} in build #${build.number} of ${repo.slug}.`),
    ...before,
    'set -eu',
    '',
    ...checkout(given),
    '',
    ...lines,
    'export DRONE_WORKSPACE="$PWD"',
    '',
    ...running(given, [...names, 'DRONE_WORKSPACE']),
    '',
  ].join('\n')
}

/** The state when the step started: later failures are not part of its variables. */
const momentOf = (build: Build, stages: readonly Stage[], { stage, step }: { stage: Stage; step: Step }) => {
  const isOver = ({ stopped = 0 }: Stage | Step): boolean => stopped > 0 && stopped <= (step.started ?? 0)
  const others = stages.filter((other) => other.number !== stage.number && isOver(other))
  const steps = (stage.steps ?? []).filter((other) => other.number < step.number && isOver(other))
  return {
    build: { ...build, status: 'running' as const, finished: 0, stages: others },
    stage: { ...stage, status: 'running' as const, stopped: 0, steps },
  }
}

/** Refuses where there is nothing to run: no such step, no commands, no file. */
export const reproduce = async (
  ci: CiContext,
  system: Reproduced['system'],
  { repo, number, stage: stageNumber, step: stepNumber }: { repo: Repo; number: number; stage: number; step: number },
): Promise<string> => {
  const stored = required(await findBuildByNumber(ci.db, repo.id, number))
  const { stages } = await loadBuild(ci.db, stored.id)
  const found = required(stages.find((one) => one.number === stageNumber) ?? null)
  const step = required(found.steps?.find((one) => one.number === stepNumber) ?? null)
  const config = required(await findConfig(ci.db, stored.id))
  const { build, stage } = momentOf(stored, stages, { stage: found, step })
  const now = step.started || ci.now()
  const variables = substitutionVariables({ system, repo, build, stage, now })
  const job = { text: config, stage: stage.name, step: step.name, variables }
  const text = await ci.files.step(repo.id, job).catch((error: unknown) => {
    throw error instanceof ConfigError ? new Refusal(400, error.message) : error
  })
  if (text.commands.length === 0) throw new Refusal(400, `${step.name} has no commands`)
  return scriptOf({ repo, build, stage, step, text, system, now })
}
