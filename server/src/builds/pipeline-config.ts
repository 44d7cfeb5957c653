/** Finds a build's pipeline file. */
import type { Repo } from '@flightdeck/api'
import { ConfigError } from '../pipeline/doc.ts'
import type { CiContext } from './context.ts'
import type { Hook } from '../interfaces/hook.ts'
import type { FoundFile } from '../interfaces/sources.ts'
import { publicMessage } from '../lib/public-text.ts'

export const defaultConfigPath = '.drone.yml'

/** By the end of the path (docs/api §8.5). */
const languageOf = (path: string): string | null => {
  if (path.endsWith('.jsonnet')) return 'Jsonnet'
  return /\.(?:star|starlark|script)$/.test(path) ? 'Starlark' : null
}

/** Another language fails as yaml too, but at a place and for a reason that lead astray. */
export const explainError = ({ config_path: path }: Repo, error: string): string => {
  const language = languageOf(path)
  if (!language || !error.startsWith('yaml: ')) return error
  return `configuration: ${path} is ${language}, which this server does not support`
}

/** What is at the path instead of a file; git stores a link's target path as its content. */
const reasons: Partial<Record<FoundFile['kind'], string>> = {
  link: 'is a symbolic link',
  folder: 'is a folder',
  submodule: 'is a submodule',
}

const reasonAt = async (ci: CiContext, repoPath: string, sha: string, path: string): Promise<string | null> => {
  const found = await ci.git.sources.find(repoPath, sha, [path]).catch(() => null)
  return (found && reasons[found.kind]) ?? null
}

/** Why a text is no pipeline file, where the YAML parser's own error would not say it. */
const reasonIn = (text: string): string | null => {
  if (text.startsWith('version https://git-lfs.github.com/spec/')) return 'is stored in Git LFS'
  return text.includes('\0') ? 'is not UTF-8 text' : null
}

/**
 * Throws `ConfigError` with a text for the error build if there is no such file, or git cannot read
 * it.
 */
export const readConfig = async (ci: CiContext, repo: Repo, repoPath: string, hook: Hook): Promise<string> => {
  const path = repo.config_path || defaultConfigPath
  let text: string | null
  try {
    const read = () => ci.git.readFile(repoPath, hook.after, path)
    text = await ci.configs.of({ repoId: repo.id, sha: hook.after, path }, read)
  } catch (error) {
    throw new ConfigError(`configuration: ${publicMessage(error)}`)
  }
  const reason =
    (text === null || !text.includes('\n') ? await reasonAt(ci, repoPath, hook.after, path) : null) ??
    reasonIn(text ?? '')
  if (reason !== null)
    throw new ConfigError(`configuration: ${path} ${reason} at ${hook.after}; put the file itself there`)
  if (text === null) throw new ConfigError(`configuration: ${path} not found at ${hook.after}`)
  if (text.trim() === '') throw new ConfigError(`configuration: ${path} is empty at ${hook.after}`)
  return text
}
