/** JSON of what may be large, written in parts: `JSON.stringify` cannot be interrupted. */
import type { Build } from '@flightdeck/api'
import { runYielding } from './event-loop.ts'

type Serialize = (value: unknown) => string

/** The number of items written in one turn. */
const partSize = 400

/** The text of a list. `weigh` returns the number of values in an item. */
export async function serializeList<Item>(
  items: readonly Item[],
  stringify: Serialize,
  weigh: (item: Item) => number = () => 1,
): Promise<string> {
  const texts: string[] = []
  let part: Item[] = []
  let weight = 0
  const write = async () => {
    const taken = part
    part = []
    weight = 0
    if (taken.length > 0) texts.push(await runYielding(() => stringify(taken).slice(1, -1)))
  }
  for (const item of items) {
    part.push(item)
    weight += weigh(item)
    if (weight >= partSize) await write()
  }
  await write()
  return `[${texts.join()}]`
}

/** The text of a build with its stages and their steps. */
export async function serializeBuild({ stages, ...build }: Build, stringify: Serialize): Promise<string> {
  const text = stringify(build)
  if (!stages) return text
  return `${text.slice(0, -1)},"stages":${await serializeList(stages, stringify, ({ steps = [] }) => 1 + steps.length)}}`
}
