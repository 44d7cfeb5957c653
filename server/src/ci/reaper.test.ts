import { expect, test } from 'vitest'
import { createLocks } from './locks.ts'
import { createLogClosers } from './log-closers.ts'
import { createQueue } from './queue.ts'
import { reapBuilds } from './reaper.ts'
import { openBench, pipelines } from './test-bench.ts'
import { createGit } from './git.ts'
import { createWatchers } from './watchers.ts'

test('builds that nobody ends are ended', async () => {
  const bench = await openBench()
  try {
    const sha = bench.commit(pipelines({ default: '' }))
    await bench.push(sha)
    await bench.push(sha)
    await bench.take()
    const { events, logs } = bench.ci
    const reap = async () =>
      reapBuilds(
        {
          db: bench.db,
          events,
          logs,
          git: await createGit({ dataDir: bench.dir, own: [] }),
          queue: createQueue(bench.db),
          watchers: createWatchers(),
          locks: createLocks(),
          now: () => bench.clock.now,
        },
        createLogClosers(logs),
      )
    bench.clock.now += (60 + 29) * 60
    await reap()
    expect([(await bench.build(1)).status, (await bench.build(2)).status]).toEqual(['running', 'pending'])
    bench.clock.now += 120
    await reap()
    expect([(await bench.build(1)).status, (await bench.build(2)).status]).toEqual(['killed', 'pending'])
    bench.clock.now += 24 * 3600
    await reap()
    expect((await bench.build(2)).status).toBe('killed')
  } finally {
    await bench.close()
  }
})
