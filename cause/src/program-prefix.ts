/**
 * The prefixes of programs whose output is interleaved (compose, concurrently, turbo, lerna, pnpm,
 * foreman, steps of an image build). If one of them exits with an error, the output of the others
 * is not the cause.
 */

const names: readonly RegExp[] = [
  // `#9 0.420 …`: a step of an image build.
  /^#(\d{1,4}) (?:\d+\.\d+ )?/,
  // `tests-1  | …`, `08:00:01 web.1    | …`
  /^(?:\d\d:\d\d:\d\d )?([A-Za-z][\w.-]{0,60}) {0,40}\| /,
  // `[api] …`; not `[ERROR]`.
  /^\[(?!(?:info|debug|warn|warning|error|fatal|trace|notice|note|ok|fail|failed|pass|passed|critical)\])([\w@.-][\w@/.-]{0,60})\] /i,
  // `@shop/api:check: …`, `web:build: …`, `@shop/ui: …`, `packages/core verify: …`
  /^((?:@[\w.-]{1,60}\/)?[A-Za-z][\w.-]{0,60}:[A-Za-z][\w:-]{0,40}): /,
  /^(@[\w.-]{1,60}\/[\w.-]{1,60}): /,
  /^([\w@.-]{1,60}\/[\w@/.-]{1,60} [A-Za-z][\w:-]{0,40}): /,
]

/** The program of a line, if the line names it. */
export const programOf = (plain: string): string | undefined => {
  for (const name of names) {
    const [, found] = name.exec(plain) ?? []
    if (found !== undefined) return found
  }
  return undefined
}

/** The line without the prefix that names its program. */
export const withoutProgram = (plain: string): string => {
  const name = names.find((pattern) => pattern.test(plain))
  return name ? plain.replace(name, '') : plain
}

const stepFailed = /^#(\d{1,4}) ERROR\b/
/** `exited with code 1`, `exited (1)`, `exit 3`; not a signal, nor a success. */
const ended =
  /\bexit(?:ed)?(?: with)?(?: exit)?(?: code| status)?:? \(?(?!0\b|130\b|137\b|143\b)\d{1,3}\b|(?<=: )Failed$|\bcommand finished with error\b|\blifecycle script .{1,60} failed\b/i
/**
 * `tests-1 exited with code 1`, `npm run build exited 1 in '@shop/ui'`: the line contains the name.
 */
const named = /^([A-Za-z][\w.-]{0,80}) exited\b|\bin '(\S{1,80})'$/

/** The program that a line reports as failed. */
export const failedProgramOf = (plain: string): string | undefined => {
  const [, step] = stepFailed.exec(plain) ?? []
  if (step !== undefined) return step
  if (!ended.test(plain)) return undefined
  const [, before, after] = named.exec(plain) ?? []
  return before ?? after ?? programOf(plain)
}

/**
 * Whether this program is the failed one. A container's name may have its project's name as a
 * prefix.
 */
export const isSame = (program: string, failed: string): boolean =>
  failed === program || failed.endsWith(`-${program}`) || failed.endsWith(`_${program}`)
