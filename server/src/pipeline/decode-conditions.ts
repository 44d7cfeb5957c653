/**
 * `trigger` and `when` as docs/api §6.3 reads them: a malformed entry is silently dropped and so
 * matches everything.
 */
import { isMap, isScalar, isSeq } from 'yaml'
import type { Decoder } from './decode.ts'
import { written } from './decode.ts'
import { conditionKeys } from './doc.ts'
import type { Condition, Conditions } from './doc.ts'
import { globCost } from './glob.ts'

const scalars = (decoder: Decoder, node: unknown): string[] => {
  const value = decoder.present(node)
  if (!isSeq(value)) return []
  return decoder.list(value, '[]string').flatMap((item) => (isScalar(item) ? [decoder.text(item)] : []))
}

const readCondition = (decoder: Decoder, node: unknown): Condition | null => {
  const value = decoder.present(node)
  if (!value) return null
  if (isScalar(value)) return { include: [written(value)], exclude: [] }
  if (isSeq(value)) return { include: scalars(decoder, value), exclude: [] }
  if (!isMap(value)) return null
  const entries = decoder.struct(value, 'yaml.Condition')
  return { include: scalars(decoder, entries?.get('include')), exclude: scalars(decoder, entries?.get('exclude')) }
}

export const readConditions = (decoder: Decoder, node: unknown): Conditions => {
  const entries = decoder.struct(node, 'yaml.Conditions')
  const conditions: Conditions = {}
  for (const key of entries ? conditionKeys : []) {
    const condition = readCondition(decoder, entries?.get(key))
    if (!condition) continue
    const patterns = [...condition.include, ...condition.exclude]
    for (const pattern of patterns) decoder.spendPattern(globCost(pattern))
    if (patterns.length > 0) conditions[key] = condition
  }
  return conditions
}
