// Detects `foo.*bar`, which takes quadratic time on "foofoofoo…": each `foo` lets `.*` run to the
// end again, although the pattern does not start with a quantifier.
import { getConsumedChars, getLengthRange } from 'regexp-ast-analysis'

/** The nodes before and after a node, up to the whole pattern, nearest first. */
function surroundings(node) {
  const before = []
  const after = []
  for (let inner = node; inner.type !== 'Pattern'; inner = inner.parent) {
    if (inner.parent.type !== 'Alternative') continue
    const { elements } = inner.parent
    const at = elements.indexOf(inner)
    before.push(...elements.slice(0, at).toReversed())
    after.push(...elements.slice(at + 1))
  }
  return { before, after }
}

/**
 * Whether the text before an unbounded repetition can also occur within it, so that a search
 * restarts it many times.
 */
export function rescans(quantifier, flags) {
  if (quantifier.max !== Infinity || flags.sticky) return false
  const inside = getConsumedChars(quantifier.element, flags).chars
  const { before, after } = surroundings(quantifier)
  const isMandatory = (element) => getLengthRange(element, flags).min > 0
  if (!after.some((element) => element.type === 'Assertion' || isMandatory(element))) return false
  const startsLine = before.some((element) => element.type === 'Assertion' && element.kind === 'start')
  if (startsLine && !(flags.multiline && inside.has(0x0a))) return false
  const mandatory = before.filter(isMandatory)
  // Without anything before it, the pattern starts with the quantifier, which the library checks.
  return (
    (mandatory.length > 0 || startsLine) &&
    mandatory.every((element) => !inside.isDisjointWith(getConsumedChars(element, flags).chars))
  )
}
