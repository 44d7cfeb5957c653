import { createDecipheriv } from 'node:crypto'
import type { MaskedSecret } from '../pipeline/mask.ts'
import type { InlineSecret } from '../pipeline/parse.ts'
import type { StageContext } from '../interfaces/runner.ts'

const nonceLength = 12
const tagLength = 16

/** All secrets of a stage; those of the repository and its organisation come first (docs/api §6.5). */
export function stageSecrets(context: StageContext, inline: readonly InlineSecret[]): MaskedSecret[] {
  const secrets: MaskedSecret[] = context.secrets.map(({ name, data }) => ({ name, data }))
  if (!withholdInline(context)) {
    for (const { name, data } of inline) {
      const value = data && decrypt(data, context.repoSecret)
      if (value) secrets.push({ name, data: value })
    }
  }
  return secrets
}

/** A stranger's pull request could print them. */
const withholdInline = ({ build, repo }: StageContext): boolean =>
  !repo.private && build.event === 'pull_request' && build.source_repo !== ''

function decrypt(data: string, key: string): string | null {
  try {
    const bytes = Buffer.from(data, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    decipher.setAuthTag(bytes.subarray(-tagLength))
    const text = [decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]
    return Buffer.concat(text).toString('utf8')
  } catch {
    // Encrypted for another repository, or cut: as if it were not there.
    return null
  }
}

export type FindSecret = (name: string) => string

/** Answers the first of a name, in any case of its letters; one that is missing is empty. */
export const secretFinder = (secrets: readonly MaskedSecret[]): FindSecret => {
  const values = new Map<string, string>()
  for (const { name, data } of secrets) {
    const key = name.toLowerCase()
    if (!values.has(key)) values.set(key, data)
  }
  return (name) => values.get(name.toLowerCase()) ?? ''
}
