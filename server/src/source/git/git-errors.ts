import { Refusal } from '../../lib/refusal.ts'

/** git could not do what was asked; the message is for people, and the API's answer (docs/api §2.0 "500 otherwise"). */
export const gitError = (message: string): Refusal => new Refusal(500, message)

/** What git prints when the client's request is malformed or ends too early. */
const malformedRequest = /protocol error|the remote end hung up/i

/**
 * A message for the user in our own words; its cause, for the log, has git's output. `what`: the operation that failed.
 * Status 400 if the client's request does not follow git's protocol, otherwise 500.
 */
export function gitFailure(what: string, { words, code }: { words: string; code: number }): Refusal {
  if (malformedRequest.test(words)) return new Refusal(400, "The request does not follow git's protocol")
  const failure = gitError(`${what}: ${errorLineOf(words, code)}`)
  failure.cause = new Error(`git exited with ${code}: ${words.trim()}`)
  return failure
}

const fsck = 'run git fsck there for details'

/** Maps git's output to a message. The first match wins. */
const known: readonly (readonly [RegExp, string])[] = [
  [/out of memory|cannot allocate|mmap failed/i, 'it needs more memory than Flightdeck gives it'],
  [/permission denied/i, 'permission denied'],
  [/unexpected line in|packed-refs/i, `its file packed-refs does not hold refs: ${fsck}`],
  [/corrupt|inflate|unable to unpack|hash mismatch|unable to parse|bogus/i, `an object is damaged: ${fsck}`],
  [/unable to read|could not read|missing/i, `an object is missing: ${fsck}`],
  [/bad object|bad revision|not a valid object/i, 'bad object'],
  [/not a git repository/i, 'not a git repository'],
]

/**
 * git's complaint in our own words: git's output can contain a line of any file that replaces one of its own, or the name of an
 * object that must not be revealed.
 */
export function errorLineOf(stderr: string, code: number): string {
  const [, words] = known.find(([pattern]) => pattern.test(stderr)) ?? []
  return words ?? `git exited with ${code}: ${fsck}`
}
