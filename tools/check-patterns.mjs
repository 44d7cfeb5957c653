// Checks that every regular expression of the product takes linear time: on untrusted text (a
// pushed file, a log, a URL) a slower one would block the event loop. Part of `npm run lint`;
// docs/decisions/patterns.md describes the method.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { Visitor, parseSync } from 'rolldown/utils'
import { analyse } from 'scslre'
import { root } from './lib/project.mjs'
import { rescans } from './lib/rescans.mjs'
import { isTest, sourceFiles } from './lib/sources.mjs'

/**
 * Patterns built from text at run time, which this check cannot see: their source, and where they
 * run.
 */
const madeAtRunTime = {
  'api/src/log-query.ts': "the reader's own pattern, in a worker that is ended when the search is given up",
}

/** Runs at build time, on our own files. */
const isOfTheBuild = (file) => /^web\/[^/]+\.ts$/.test(file)

/** The patterns of a file, and the positions of patterns that are built from text. */
function patternsOf(file, text) {
  const found = []
  const made = []
  const { program } = parseSync(file, text)
  const onMake = (node) => {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return
    const [source, flags] = node.arguments
    if (source?.type === 'Literal' && typeof source.value === 'string') {
      found.push({ at: node.start, pattern: source.value, flags: typeof flags?.value === 'string' ? flags.value : '' })
    } else made.push(node.start)
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex) found.push({ at: node.start, ...node.regex })
    },
    NewExpression: onMake,
    CallExpression: onMake,
  }).visit(program)
  return { found, made }
}

/** Why a pattern can take more than linear time; empty if it cannot. */
export function slowness(pattern, flags) {
  const literal = new RegExpParser().parseLiteral(`/${pattern}/${flags}`)
  const { reports } = analyse(literal, { reportTypes: { Move: true, Self: true, Trade: true } })
  const why = reports.map((report) => {
    if (report.type === 'Trade') {
      return `${report.startQuant.raw} and ${report.endQuant.raw} can take the same characters from each other`
    }
    if (report.type === 'Self') return `${report.quant.raw} can split what it takes in several ways`
    return `${report.quant.raw} is tried again from each place that it has already gone through`
  })
  visitRegExpAST(literal, {
    onQuantifierEnter(quantifier) {
      if (rescans(quantifier, literal.flags)) {
        why.push(`each repetition of what stands before ${quantifier.raw} makes it go through the rest again`)
      }
    },
  })
  return why
}

/** The errors for the patterns of one file. */
export function faultsOf(file, text) {
  const line = (at) => text.slice(0, at).split('\n').length
  const { found, made } = patternsOf(file, text)
  const faults = found.flatMap(({ at, pattern, flags }) =>
    slowness(pattern, flags).map((why) => `${file}:${line(at)}: /${pattern}/${flags} is not linear: ${why}`),
  )
  if (file in madeAtRunTime) return faults
  return [...faults, ...made.map((at) => `${file}:${line(at)}: a pattern that is made at run time cannot be checked`)]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = sourceFiles().filter((file) => !isTest(file) && !isOfTheBuild(file))
  const faults = files.flatMap((file) => faultsOf(file, readFileSync(join(root, file), 'utf8')))
  for (const fault of faults) console.log(fault)
  console.log(`${files.length} files, ${faults.length} patterns that may take too long`)
  if (faults.length > 0) process.exitCode = 1
}
