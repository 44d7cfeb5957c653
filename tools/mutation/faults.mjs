// One-operator faults in a source file, and a random choice that a seed reproduces.
import { parseSync } from 'rolldown/utils'

const swaps = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
}

function* nodesOf(node) {
  if (Array.isArray(node)) for (const inner of node) yield* nodesOf(inner)
  else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') yield node
    for (const inner of Object.values(node)) if (inner && typeof inner === 'object') yield* nodesOf(inner)
  }
}

/** The position of a node's operator and its replacement; undefined if it cannot be changed. */
function faultOf(node, source) {
  if (node.type === 'Literal' && typeof node.value === 'boolean')
    return { start: node.start, from: `${node.value}`, to: `${!node.value}` }
  if (node.type !== 'BinaryExpression' && node.type !== 'LogicalExpression') return undefined
  const to = swaps[node.operator]
  const start = source.indexOf(node.operator, node.left.end)
  return to && start < node.right.start ? { start, from: node.operator, to } : undefined
}

/** All faults of a file: the line, the operator before and after, and the changed text. */
export function faultsIn(file, source) {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  return [...nodesOf(program)].flatMap((node) => {
    const fault = faultOf(node, source)
    if (!fault) return []
    const { start, from, to } = fault
    const line = source.slice(0, start).split('\n').length
    return [{ line, from, to, changed: source.slice(0, start) + to + source.slice(start + from.length) }]
  })
}

/** `count` items of `list`; the same seed gives the same items. */
export function pick(list, count, seed) {
  const rest = [...list]
  const chosen = []
  let state = seed % 2_147_483_647 || 1
  while (chosen.length < count && rest.length > 0) {
    state = (state * 48_271) % 2_147_483_647
    chosen.push(...rest.splice(state % rest.length, 1))
  }
  return chosen
}
