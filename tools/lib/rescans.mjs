// `foo.*bar` searched in "foofoofoo…": each `foo` lets `.*` run to the end again, without any quantifier standing first.
import { getConsumedChars, getLengthRange } from 'regexp-ast-analysis'

/** What stands before and behind a node, out to the whole pattern; the nearest first. */
function surroundings(node) {
  const before = []
  const behind = []
  for (let inner = node; inner.type !== 'Pattern'; inner = inner.parent) {
    if (inner.parent.type !== 'Alternative') continue
    const { elements } = inner.parent
    const at = elements.indexOf(inner)
    before.push(...elements.slice(0, at).toReversed())
    behind.push(...elements.slice(at + 1))
  }
  return { before, behind }
}

/** Whether what stands before an endless repetition may stand within it, too, so that a search begins it many times. */
export function rescans(quantifier, flags) {
  if (quantifier.max !== Infinity || flags.sticky) return false
  const inside = getConsumedChars(quantifier.element, flags).chars
  const { before, behind } = surroundings(quantifier)
  const isMandatory = (element) => getLengthRange(element, flags).min > 0
  if (!behind.some((element) => element.type === 'Assertion' || isMandatory(element))) return false
  const startsLine = before.some((element) => element.type === 'Assertion' && element.kind === 'start')
  if (startsLine && !(flags.multiline && inside.has(0x0a))) return false
  const mandatory = before.filter(isMandatory)
  // Without anything before it the quantifier itself is the start, which the library looks at.
  return (
    (mandatory.length > 0 || startsLine) &&
    mandatory.every((element) => !inside.isDisjointWith(getConsumedChars(element, flags).chars))
  )
}
