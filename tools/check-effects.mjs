// Counts effects and suppressed rules in the web part, and the lines of its components. Effects
// leave React's model, and suppressions hide the linter's reports, so both are limited. Part of
// `npm run lint`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Visitor, parseSync } from 'rolldown/utils'
import { root } from './lib/project.mjs'
import { isTest, sourceFiles } from './lib/sources.mjs'

/** Per thousand lines of source. */
export const aims = { effects: 1.5, suppressions: 0.5 }
/** In lines. */
export const maxComponentLines = 150

const effect = /^use(Layout|Insertion)?Effect$/
const suppression = /\b(?:oxlint|eslint)-disable|@ts-(?:expect-error|ignore|nocheck)/

/** The name of a called function: `useEffect`, also as `React.useEffect`. */
const calleeOf = ({ callee }) => (callee.type === 'MemberExpression' ? callee.property : callee).name ?? ''

/** The name of a function, or of the constant it is assigned to, also through `memo(…)`. */
function nameOf(node, parents) {
  if (node.id) return node.id.name
  // A function inside another one belongs to that one's call, not to the outer constant.
  const holder = parents.findLast(({ type }) => type !== 'CallExpression')
  return holder?.type === 'VariableDeclarator' && holder.id.type === 'Identifier' ? holder.id.name : ''
}

/** Measures one file. A component is a function with a capitalized name that returns elements. */
export function measure(file, text) {
  const { program, comments } = parseSync(file, text)
  const lineAt = (at) => text.slice(0, at).split('\n').length
  const found = {
    lines: text.split('\n').length - 1,
    effects: 0,
    suppressions: comments.filter(({ value }) => suppression.test(value)).length,
    components: [],
  }
  /**
   * The functions around the current node. Whether one returns elements is known when the visitor
   * leaves it.
   */
  const open = []
  const parents = []
  const hold = (node) => parents.push(node)
  const release = () => parents.pop()
  const enter = (node) => {
    open.push({ name: nameOf(node, parents), draws: false })
    hold(node)
  }
  const leave = (node) => {
    release()
    const { name, draws } = open.pop()
    if (draws && open.length > 0) open.at(-1).draws = true
    if (!draws || !/^[A-Z]/.test(name)) return
    const line = lineAt(node.start)
    found.components.push({ name, line, lines: lineAt(node.end) - line + 1 })
  }
  const draw = () => {
    if (open.length > 0) open.at(-1).draws = true
  }
  new Visitor({
    VariableDeclarator: hold,
    'VariableDeclarator:exit': release,
    CallExpression(node) {
      if (effect.test(calleeOf(node))) found.effects += 1
      hold(node)
    },
    'CallExpression:exit': release,
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    JSXElement: draw,
    JSXFragment: draw,
  }).visit(program)
  return found
}

/** Messages for everything above its limit. `files` are the measurements with file names. */
export function faultsOf(files) {
  const sum = (key) => files.reduce((total, file) => total + file[key], 0)
  const faults = files.flatMap(({ file, components }) =>
    components
      .filter(({ lines }) => lines > maxComponentLines)
      .map(
        ({ name, line, lines }) => `${file}:${line}: ${name} has ${lines} lines, and ${maxComponentLines} are the most`,
      ),
  )
  for (const [key, aim] of Object.entries(aims)) {
    const max = Math.floor((sum('lines') * aim) / 1000)
    if (sum(key) <= max) continue
    faults.push(`${sum(key)} ${key}, and ${aim} for 1,000 lines are ${max} at most:`)
    for (const entry of files.filter((file) => file[key] > 0).toSorted((a, b) => b[key] - a[key]))
      faults.push(`  ${entry[key]} in ${entry.file}`)
  }
  return faults
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = sourceFiles()
    .filter((file) => file.startsWith('web/src/') && !isTest(file))
    .map((file) => ({ file, ...measure(file, readFileSync(join(root, file), 'utf8')) }))
  const faults = faultsOf(files)
  for (const fault of faults) console.log(fault)
  const of = (key) => files.reduce((total, file) => total + file[key], 0)
  const per = (key) => `${of(key)} ${key} (${((of(key) / of('lines')) * 1000).toFixed(2)} for 1,000 lines)`
  const largest = files.flatMap(({ components }) => components).toSorted((a, b) => b.lines - a.lines)[0]
  console.log(
    `${files.length} files, ${per('effects')}, ${per('suppressions')}, longest component ${largest?.lines ?? 0}`,
  )
  if (faults.length > 0) process.exitCode = 1
}
