/**
 * The words by which a build is found, and the meaning of a query, in the syntax of SQLite's
 * full-text index. Build numbers and repositories are indexed as special words: they start with a
 * private-use character, which is removed from all other text.
 */

/** The fields of a build that are indexed. */
export interface IndexedBuild {
  build_id: number
  build_repo_id: number
  build_number: number
  build_title: string
  build_message: string
  build_after: string
  build_ref: string
  build_source: string
  build_target: string
  build_author_login: string
  build_author_name: string
  build_author_email: string
  build_deploy_to: string
  build_cron: string
}

/**
 * The indexed length of the message in characters: enough for what users remember, and cheap to
 * add.
 */
const maxMessageChars = 2_000
/** The indexed length of other texts in characters. */
const maxTextChars = 300

const numberWord = (number: number | string): string => `\u{E000}${number}`
const repoWord = (repoId: number): string => `\u{E001}${repoId}`

/**
 * Private-use characters, NUL, at which the index ends an expression, and unpaired surrogates,
 * which SQLite cannot read from JSON.
 */
const removed = /[\p{Co}\p{Surrogate}\0]/gu
/**
 * Scripts without spaces between words: each character is indexed as a word, and a query is a
 * phrase of them.
 */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu
const refStart = /^refs\/(?:heads|tags|pull|merge-requests)\//

const toWords = (text: string, maxChars = maxTextChars): string =>
  text.slice(0, maxChars).replaceAll(removed, ' ').replaceAll(unspaced, ' $& ')

/** The indexed text of a build. */
export const wordsOf = (build: IndexedBuild): string =>
  [
    repoWord(build.build_repo_id),
    numberWord(build.build_number),
    toWords(build.build_after),
    toWords(build.build_title),
    toWords(build.build_message, maxMessageChars),
    toWords(build.build_ref.replace(refStart, '')),
    toWords(build.build_source),
    toWords(build.build_target),
    toWords(build.build_author_login),
    toWords(build.build_author_name),
    toWords(build.build_author_email),
    toWords(build.build_deploy_to),
    toWords(build.build_cron),
  ].join(' ')

export interface ParsedQuery {
  /**
   * `hello#12`, `hello #12`, `octocat/hello#12` or `octocat/hello 12`: a build of repositories with
   * this name or slug, in lower case.
   */
  named?: { repository: string; expression: string }
  /**
   * Index expressions, best matches first. For a named build they are used if there is no such
   * repository. If there are none, nothing can be found.
   */
  expressions: string[]
}

/** The maximum number of words in one query; more are ignored. */
const maxWords = 8

const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`

const isHash = /^[0-9a-f]{7,40}$/i

/**
 * A word matches as a prefix. A single letter matches only as a whole, because too many words start
 * with it.
 */
const wordExpression = (word: string): string => {
  const inner = toWords(word.replace(refStart, '')).trim()
  return [...inner].length > 1 ? `${quoted(inner)}*` : quoted(inner)
}

const namedIn = (text: string): ParsedQuery['named'] => {
  const [name = '', digits = '', ...others] = text.split(/[\s#]+/u)
  const isNamed = name.includes('/') || /^\S+\s*#\d+$/u.test(text)
  if (!isNamed || name === '' || others.length > 0 || !/^\d{1,15}$/.test(digits)) return undefined
  return { repository: name.toLowerCase(), expression: quoted(numberWord(Number(digits))) }
}

export const parseQuery = (text: string): ParsedQuery => {
  const trimmed = text.trim()
  const named = namedIn(trimmed)
  const digits = trimmed.replace(/^#/, '')
  const number = /^\d{1,15}$/.test(digits) ? quoted(numberWord(Number(digits))) : undefined
  if (number !== undefined && trimmed.startsWith('#')) return { expressions: [number] }
  const words = trimmed
    .split(/\s+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, maxWords)
  if (words.length === 0) return { expressions: [] }
  const all = isHash.test(trimmed) ? `${quoted(trimmed)}*` : words.map(wordExpression).join(' AND ')
  return { ...(named && { named }), expressions: number === undefined ? [all] : [number, all] }
}

/** Restricts an expression to builds of these repositories. */
export const inRepositories = (expression: string, repoIds: readonly number[]): string =>
  `(${expression}) AND (${repoIds.map((id) => quoted(repoWord(id))).join(' OR ')})`
