// Refuses words that a reader of this repository cannot look up: the tracker is not in it, so no code cites an issue.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/project.mjs'

/** Each with what to write instead. */
const refused = [[/\bissues? #?\d+/i, 'say what a reader needs, or link a page of docs/decisions']]

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.css', '*.html'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !file.startsWith('cause/corpus/') && existsSync(join(root, file)))

const found = files.flatMap((file) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      refused
        .filter(([pattern]) => pattern.test(line))
        .map(([, instead]) => `${file}:${index + 1}: ${line.trim()} – ${instead}`),
    ),
)
for (const line of found) console.error(line)
console.log(`${files.length} files, ${found.length} refused words`)
process.exit(found.length > 0 ? 1 : 0)
