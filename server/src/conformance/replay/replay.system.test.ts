import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { deviations } from './deviations.ts'
import { exchanges, type Exchange } from './exchanges.ts'
import { differenceOf } from './replay.ts'
import { scenes } from './scenes.ts'
import { createWorld, type World } from './world.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const files = [...new Set(exchanges.map(({ file }) => file))]
const keyOf = ({ file, index }: Exchange) => `${file} ${index}`

/**
 * Replays every recorded exchange in order, in a world like the recorded one. The differences must
 * be exactly those in `deviations`.
 */
describe.each(files)('the recorded exchanges of %s', (file) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  it('have the same status, keys and types here', async () => {
    const found: Record<string, string> = {}
    for (const exchange of exchanges.filter((one) => one.file === file && one.status > 0)) {
      await scenes[file]?.[exchange.index]?.(world)
      const difference = await differenceOf(world, exchange)
      if (difference) found[keyOf(exchange)] = difference
    }
    const known = Object.keys(deviations).filter((key) => key.startsWith(`${file} `))
    expect(
      Object.entries(found).filter(([key]) => !known.includes(key)),
      'differs, and no line of deviations.ts says so',
    ).toEqual([])
    expect(
      known.filter((key) => !(key in found)),
      'agrees by now',
    ).toEqual([])
  })
})

it('every deviation has its line in docs/decisions/drone.md', () => {
  const page = readFileSync(new URL('../../../../docs/decisions/drone.md', import.meta.url), 'utf8')
  for (const subject of new Set(Object.values(deviations))) expect(page).toContain(`\n| ${subject} |`)
})
