/**
 * Finds the repositories that a webhook is about, while the request passes through. Unknown formats
 * are ignored.
 */

const maxBytes = 4 * 1024 * 1024
/** GitHub, Gitea, Gogs and Bitbucket; GitLab. The forks that they name too do no harm. */
const named = /"(?:full_name|path_with_namespace)"\s*:\s*"([^"\\\s/]{1,200}(?:\/[^"\\\s/]{1,200}){1,5})"/g
/** More than any call names: a question for each would follow. */
const maxSlugs = 10

export interface HookReader {
  add(chunk: Buffer): void
  /** `owner/name`, each once. */
  slugs(): string[]
}

/** `type`: the call's content type; GitHub can send a form that holds the JSON. */
export function createHookReader(type: string | null): HookReader {
  const chunks: Buffer[] = []
  let size = 0
  return {
    add(chunk) {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
    },
    slugs() {
      if (size > maxBytes) return []
      const text = Buffer.concat(chunks).toString()
      const isForm = type?.startsWith('application/x-www-form-urlencoded') ?? false
      const json = isForm ? (new URLSearchParams(text).get('payload') ?? '') : text
      const found = new Set<string>()
      for (const [, slug] of json.matchAll(named)) {
        if (slug !== undefined) found.add(slug)
        if (found.size >= maxSlugs) break
      }
      return [...found]
    },
  }
}
