import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFigures, type FigureKeeper } from '../../operation/figures.ts'
import { createGatewayFigures } from '../../operation/gateway-figures.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'

let data: string
let app: TestApp
let figures: FigureKeeper
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'flightdeck-metrics-'))
  mkdirSync(join(data, 'logs'))
  figures = createFigures(data)
  app = await createTestApp({ figures })
})
afterAll(async () => {
  await app.close()
  rmSync(data, { recursive: true })
})

const scrape = async (): Promise<string> => (await app.request('/metrics', { as: 'robot' })).text()
const lines = async (): Promise<string[]> => (await scrape()).split('\n')
const endOne = async (how: 'cancel' | 'error'): Promise<void> => {
  app.bench.commit(how === 'error' ? 'kind: pipeline\ntype: exec\nname: [' : pipelines({ one: '' }))
  const build = await app.bench.startBuild()
  if (how === 'cancel') await app.bench.ci.cancel(app.bench.repo, build?.number ?? 0, app.bench.user)
}

it('counts builds that have ended since the first look, each once, by status', async () => {
  await endOne('cancel')
  app.bench.commit(pipelines({ one: '' }))
  const waiting = await app.bench.startBuild()
  expect((await lines()).filter((line) => line.startsWith('flightdeck_builds_ended_total'))).toEqual([])
  await endOne('error')
  await endOne('error')
  await app.bench.ci.cancel(app.bench.repo, waiting?.number ?? 0, app.bench.user)
  const expected = [
    'flightdeck_builds_ended_total{status="error"} 2',
    'flightdeck_builds_ended_total{status="killed"} 1',
  ]
  for (const _ of [1, 2])
    expect((await lines()).filter((line) => line.startsWith('flightdeck_builds_ended_total')).toSorted()).toEqual(
      expected,
    )
})

it('says how long the oldest stage has been in the queue', async () => {
  expect(await lines()).toContain('flightdeck_queue_oldest_seconds 0')
  app.bench.commit(pipelines({ one: '' }))
  const build = await app.bench.startBuild()
  app.bench.clock.now += 90
  expect(await lines()).toContain('flightdeck_queue_oldest_seconds 90')
  await app.bench.ci.cancel(app.bench.repo, build?.number ?? 0, app.bench.user)
})

it('counts the events that slow readers miss', async () => {
  figures.observeMissed('skipped')
  figures.observeMissed('skipped')
  figures.observeMissed('cut')
  const text = await lines()
  expect(text).toContain('flightdeck_events_skipped_total 2')
  expect(text).toContain('flightdeck_event_readers_cut_total 1')
})

/** The metric families of a real scrape of the server and of a gateway. */
async function families(): Promise<string[]> {
  await scrape()
  await figures.folders.settled()
  const text = (await scrape()) + createGatewayFigures().text()
  return [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name)
}
const textOf = (file: string): string => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')

it('has each figure that the dashboard asks for', async () => {
  const { panels } = JSON.parse(textOf('docs/operate/grafana.json')) as {
    panels: { targets: { expr: string }[] }[]
  }
  const asked = panels
    .flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/(?:drone|flightdeck|process)_\w+/g) ?? []))
    .map((name) => name.replace(/_(bucket|count|sum)$/, (end) => (name.endsWith('drone_build_count') ? end : '')))
  expect(asked.length).toBeGreaterThan(20)
  const known = await families()
  expect(asked.filter((name) => !known.includes(name))).toEqual([])
})

it('has each of its own figures in the guide, and the guide no other', async () => {
  const own = (await families()).filter((name) => name.startsWith('flightdeck_'))
  const described = textOf('docs/guide/operate.md').match(/\bflightdeck_\w+/g) ?? []
  expect([...new Set(described)].toSorted()).toEqual([...new Set(own)].toSorted())
})
