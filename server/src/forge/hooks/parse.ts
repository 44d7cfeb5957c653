import type { ForgeKind, HookHeaders } from '../driver.ts'
import type { ParsedHook } from '../events.ts'
import { parseGiteaHook } from './gitea.ts'
import { parseGithubHook } from './github.ts'
import { parseGitlabHook } from './gitlab.ts'

/** Reads the payload of a hook of that kind of forge; never throws. */
export function parseHook(kind: ForgeKind, headers: HookHeaders, json: Uint8Array): ParsedHook {
  switch (kind) {
    case 'gitea':
    case 'forgejo':
    case 'gogs':
      return parseGiteaHook(kind, headers, json)
    case 'github':
      return parseGithubHook(headers, json)
    case 'gitlab':
      return parseGitlabHook(headers, json)
  }
}
