/** A build's pipeline file: where it comes from, what it asks for, and whether it is signed. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Repo } from '@flightdeck/api'
import { lint } from '../pipeline/lint.ts'
import { ConfigError, parsePipelines, type PipelineFile } from '../pipeline/parse.ts'
import type { CiContext } from './context.ts'
import type { Hook } from './types.ts'

export const defaultConfigPath = '.drone.yml'

/** Throws `ConfigError` with a text for the error build if there is no such file, or git cannot read it. */
export const readConfig = async (ci: CiContext, repo: Repo, repoPath: string, hook: Hook): Promise<string> => {
  const path = repo.config_path || defaultConfigPath
  let text: string | null
  try {
    text = await ci.git.readFile(repoPath, hook.after, path)
  } catch (error) {
    throw new ConfigError(`configuration: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (text === null) throw new ConfigError(`configuration: ${path} not found at ${hook.after}`)
  if (text.trim() === '') throw new ConfigError(`configuration: ${path} is empty at ${hook.after}`)
  return text
}

/** wire.md §5.2, steps 6 and 8. */
export const parseConfig = (text: string): PipelineFile => {
  const file = parsePipelines(text)
  lint(file.pipelines)
  return file
}

/** wire.md §6.6. */
export const signatureOf = (secret: string, file: PipelineFile): string =>
  createHmac('sha256', secret).update(file.signedText).digest('hex')

export const isSigned = (secret: string, file: PipelineFile): boolean => {
  const given = Buffer.from(file.signature ?? '')
  const expected = Buffer.from(signatureOf(secret, file))
  // An empty secret would let everybody sign.
  return secret !== '' && given.length === expected.length && timingSafeEqual(given, expected)
}
