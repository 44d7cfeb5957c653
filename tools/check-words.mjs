// Rejects terms that docs/glossary.md replaces, and citations of issues, because the tracker is not
// in the repository.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib/project.mjs'

/** Patterns, each with what to write instead. */
const refused = [[/\bissues? #?\d+/i, 'say what a reader needs, or link a page of docs/decisions']]

/** Terms that docs/glossary.md replaces, and openings and pronouns that it refuses. */
const glossary = [
  [
    /\b(?:const|let|function|interface|class|type) (?:most|longest|shortest|patience|brake|askers?|(?:most|least|fewest|longest(?!First\b))[A-Z]\w*)\b/,
    'name it as docs/glossary.md does',
  ],
  [
    /\bfunction (?:tell|telling|forget|rush|crowd)\b|\bconst (?:tell|forget) = (?:async )?\(/,
    'name it as docs/glossary.md does',
  ],
  [
    /\b(?:const|let|function|interface|class|type) (?:far[A-Z]|Far[A-Z]|keysAhead|readAhead|startAhead|whoOf|whyOf|underWay|[lL]eftOut[A-Z]|[tT]akenOver|[gG]limpse|whenGone|pressesBeside|useSettled|useNear|useHands|useHeld|useReach|usePlace)\w*/,
    'name it as docs/glossary.md does',
  ],
  [
    /^\s*(?:\/\*\*?|\*|\/\/)\s*(?:Who|Whoever|Nobody|Everybody)\b|^\s*(?:\/\*\*?|\*|\/\/).*\b(?:he|his|him)\b/,
    'say it in plain English: subject, verb, object',
  ],
  [
    /(?:^\s*(?:\/\*\*?|\*|\/\/)|\b(?:test|it|describe)\(['`]).*\b(?:anew|as ever|forerunners?|gives? free|comes? to its end|stands? in|sees? to it|so named|thereby)\b/,
    'say it in plain English, as documentation would',
  ],
  [/^\s*(?:\/\*\*?|\*|\/\/).*`(?:most|least|told|said|heard)`/, 'call the parameter by its present name'],
]
/** Names that say nothing to a newcomer. Some of the server's tests still have them. */
const vague = [
  [
    /\b(?:const|let|function) (?:said|told|heard|stood|hurry|calm|askOnce|untilThere|settleLatest|firstWait)\b/,
    'say what the value is',
  ],
  [/\bconst \w+(?:For|After|Within) = [\d_]{3,}\b/, 'name the unit of a time: graceMs, retrySeconds'],
]
/** Words in file names that docs/glossary.md replaces. */
const fileWords =
  /^(?:.*-)?(?:ahead|hands|near|far|places?|again|taken-over|left-out|look-cache|under-way|come-to|without-end|gone|who|why|outside|broken|shown|harmless|kept|keep|tidy|glimpse|gates?|sight|reach|speakers?|sleepers?|quiet|aside|heal|landing|leaving|surface|usual|held|settled|settling|settle|meets|crowd|rush|told|tell|twin|brake|askers?|young|patience)(?:-(?!gates?\b|times?\b|shown\b|out\b|host\b).*)?\./
/** Exceptions: approval gates, usual times, and others that are clear. */
const namedFiles = /(?:approval-gates?|usual-times?|signed-out|max-shown|outside-press)\./

/** The file's path, if its name has a replaced word. */
export const fileNameFault = (file) => {
  const name = file.slice(file.lastIndexOf('/') + 1)
  const isFault = isInGlossary(file) && fileWords.test(name) && !namedFiles.test(name)
  return isFault ? [`${file}: name the file as docs/glossary.md does`] : []
}

const isInGlossary = (file) =>
  /^(server\/src|web\/src|api\/src|cause\/src|tools|e2e|bench)\//.test(file) && !file.startsWith('tools/check-words.')

const rulesOf = (file) => [
  ...refused,
  ...(isInGlossary(file) ? glossary : []),
  ...(isInGlossary(file) && !/^server\/.*\.test\.ts$/.test(file) ? vague : []),
]

/** The refused words of one file, with their lines. */
export const faultsOf = (file, text) =>
  text.split('\n').flatMap((line, index) =>
    rulesOf(file)
      .filter(([pattern]) => pattern.test(line))
      .map(([, instead]) => `${file}:${index + 1}: ${line.trim()} – ${instead}`),
  )

const maxColumns = 100
/** Directives for tools must stay on one line, and a URL cannot be wrapped. */
const isUnbreakable = (comment) => /oxlint-|@ts-|https?:\/\//.test(comment)

/** The comment lines of a source file that are too wide. */
export const wideComments = (file, text) =>
  !/\.(?:tsx?|mjs|css)$/.test(file)
    ? []
    : text.split('\n').flatMap((line, index) => {
        const isWide = /^\s*(?:\/\/|\{?\/?\*)/.test(line) && line.length > maxColumns && !isUnbreakable(line)
        return isWide ? [`${file}:${index + 1}: ${line.trim()} – wrap comments at ${maxColumns} columns`] : []
      })

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
  const found = files.flatMap((file) => [
    ...fileNameFault(file),
    ...[faultsOf, wideComments].flatMap((check) => check(file, readFileSync(join(root, file), 'utf8'))),
  ])
  for (const line of found) console.error(line)
  console.log(`${files.length} files, ${found.length} refused words`)
  process.exit(found.length > 0 ? 1 : 0)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
