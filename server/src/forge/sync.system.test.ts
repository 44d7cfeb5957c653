/** A sync of the size that the server is measured at. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listUserRepos } from '../store/repo-lists.ts'
import { countLoopTurns } from '../testing/event-loop-during.ts'
import { openForgeBench, repository, type ForgeBench } from '../testing/forge-bench.ts'
import { createSync } from './sync.ts'

let bench: ForgeBench
beforeEach(() => {
  bench = openForgeBench()
})
afterEach(() => bench.close())

it('reads 10,000 repositories, and lets others have their turns in between', { timeout: 120_000 }, async () => {
  const user = await bench.signedIn('ann')
  const forge = {
    ...bench.forge,
    driver: {
      ...bench.forge.driver,
      async *repositories() {
        for (let page = 0; page < 100; page += 1)
          yield {
            repositories: Array.from({ length: 100 }, (_, at) => repository(`${page}-${at}`, `team${page}/app${at}`)),
            total: 10_000,
          }
      },
    },
  }
  const sync = createSync(forge)
  const turns = await countLoopTurns(() => sync.run(user))
  expect(sync.state(user.id)).toMatchObject({ running: null, refusedCount: 0 })
  expect(await listUserRepos(bench.db, user.id)).toHaveLength(10_000)
  // Fifty repositories are one transaction: at least a turn for each of the 200.
  expect(turns).toBeGreaterThan(200)
})
