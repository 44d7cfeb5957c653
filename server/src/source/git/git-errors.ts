import { Refusal } from '../../lib/refusal.ts'

/**
 * The error for an operation that git could not do. Users see the message, and the API returns it
 * (docs/api §2.0 "500 otherwise").
 */
export const gitError = (message: string): Refusal => new Refusal(500, message)

/** What git prints when the client's request is malformed or ends too early. */
const malformedRequest = /protocol error|the remote end hung up/i

/**
 * Returns an error with a plain message for the user; its cause has git's output, for the log.
 * `what` is the operation that failed. The status is 400 if the client's request does not follow
 * git's protocol, otherwise 500.
 */
export function gitFailure(what: string, { stderr, code }: { stderr: string; code: number }): Refusal {
  if (malformedRequest.test(stderr)) return new Refusal(400, "The request does not follow git's protocol")
  const failure = gitError(`${what}: ${errorLineOf(stderr, code)}`)
  failure.cause = new Error(`git exited with ${code}: ${stderr.trim()}`)
  return failure
}

const fsck = 'run git fsck there for details'

/** Maps git's output to a message. The first match wins. */
const messages: readonly (readonly [RegExp, string])[] = [
  [/out of memory|cannot allocate|mmap failed/i, 'it needs more memory than Flightdeck gives it'],
  [/permission denied/i, 'permission denied'],
  [/unexpected line in|packed-refs/i, `its file packed-refs does not hold refs: ${fsck}`],
  [/corrupt|inflate|unable to unpack|hash mismatch|unable to parse|bogus/i, `an object is damaged: ${fsck}`],
  [/unable to read|could not read|missing/i, `an object is missing: ${fsck}`],
  [/bad object|bad revision|not a valid object/i, 'bad object'],
  [/not a git repository/i, 'not a git repository'],
]

/**
 * Translates git's message. git's own output can contain a line of any file that replaces one of
 * the repository's files, or the name of an object that must not be revealed.
 */
export function errorLineOf(stderr: string, code: number): string {
  const [, message] = messages.find(([pattern]) => pattern.test(stderr)) ?? []
  return message ?? `git exited with ${code}: ${fsck}`
}
