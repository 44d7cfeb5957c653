// Refuses words that a reader of this repository cannot look up: the tracker is not in it, so no code cites an issue.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib/project.mjs'

/** Each with what to write instead. */
const refused = [[/\bissues? #?\d+/i, 'say what a reader needs, or link a page of docs/decisions']]

/** Terms that docs/glossary.md replaces, and openings and pronouns that it refuses. */
const glossary = [
  [
    /\b(?:const|let|function|interface|class|type) (?:most|longest|shortest|patience|brake|askers?|(?:most|least)[A-Z]\w*)\b/,
    'name it as docs/glossary.md does',
  ],
  [
    /^\s*(?:\/\*\*?|\*|\/\/)\s*(?:Who|Whoever|Nobody|Everybody)\b|^\s*(?:\/\*\*?|\*|\/\/).*\b(?:he|his|him)\b/,
    'say it in plain English: subject, verb, object',
  ],
]
const isInGlossary = (file) =>
  /^(server\/src|web\/src|api\/src|cause\/src|tools|e2e|bench)\//.test(file) && !file.startsWith('tools/check-words.')

/** The refused words of one file, with their lines. */
export const faultsOf = (file, text) =>
  text
    .split('\n')
    .flatMap((line, index) =>
      [...refused, ...(isInGlossary(file) ? glossary : [])]
        .filter(([pattern]) => pattern.test(line))
        .map(([, instead]) => `${file}:${index + 1}: ${line.trim()} – ${instead}`),
    )

function main() {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.css', '*.html', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(
      (file) =>
        file !== '' &&
        !file.startsWith('cause/corpus/') &&
        file !== 'tools/check-words.test.mjs' &&
        existsSync(join(root, file)),
    )
  const found = files.flatMap((file) => faultsOf(file, readFileSync(join(root, file), 'utf8')))
  for (const line of found) console.error(line)
  console.log(`${files.length} files, ${found.length} refused words`)
  process.exit(found.length > 0 ? 1 : 0)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
