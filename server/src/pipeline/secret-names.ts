/** Lists the secrets that each pipeline of a file uses. */
import { isMap, isScalar, isSeq } from 'yaml'
import type { SecretUse } from '@flightdeck/api'
import { Decoder, written } from './decode.ts'
import { isPipeline, readKinds } from './parse.ts'
import { newBudget } from './yaml-text.ts'

const maxNames = 1_000
const maxNodes = 200_000

/**
 * The names after `from_secret` anywhere (environment, plugin settings, registry credentials), by
 * secret. Throws `ConfigError` for a file that cannot be read.
 */
export const secretUses = (text: string): SecretUse[] => {
  const budget = newBudget()
  const uses = new Map<string, Set<string>>()
  let left = maxNodes
  for (const { document, kind } of readKinds(text, budget)) {
    if (!isPipeline(kind)) continue
    const decoder = new Decoder(document, budget)
    const pipeline = decoder.text(decoder.struct(document.root, 'yaml.Pipeline')?.get('name')) || 'default'
    const visited = new Set<unknown>()
    const waiting: unknown[] = [document.root]
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      const value = document.resolve(node)
      // An anchor is read once, so aliases of aliases cost nothing.
      if (!value || visited.has(value) || left-- <= 0) continue
      visited.add(value)
      if (isSeq(value)) waiting.push(...value.items)
      if (!isMap(value)) continue
      for (const { key, value: item } of value.items) {
        const named = document.resolve(item)
        if (isScalar(key) && written(key) === 'from_secret' && isScalar(named)) {
          const name = written(named)
          if (name !== '' && (uses.has(name) || uses.size < maxNames))
            uses.set(name, (uses.get(name) ?? new Set()).add(pipeline))
        } else waiting.push(item)
      }
    }
  }
  return [...uses]
    .map(([name, pipelines]) => ({ name, pipelines: [...pipelines].toSorted() }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
