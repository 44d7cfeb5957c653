/** Locators for the graph view, and a small build for it. */
import type { Page } from '@playwright/test'
import * as data from './data.ts'
import type { Host } from './host.ts'
import { box, expect, withBuild } from './screens.ts'

export const graph = (page: Page, of: 'Stage' | 'Step') => page.getByRole('region', { name: `${of} graph` })
export const drawer = (page: Page) => page.getByRole('dialog', { name: 'Step info' })
export const pane = (page: Page, of: 'Stage' | 'Step') => graph(page, of).getByRole('group', { name: /arrow keys/ })
export const level = async (page: Page, of: 'Stage' | 'Step') =>
  Number((await graph(page, of).getByRole('status', { name: 'Zoom level' }).textContent())?.replace('%', ''))
export const node = (page: Page, name: string) =>
  graph(page, 'Stage').getByRole('link', { name: new RegExp(`^\\S+ ${name} [\\d–]`) })
export type Place = Awaited<ReturnType<typeof box>>
export const middle = ({ x, y, width, height }: Place) => ({ x: x + width / 2, y: y + height / 2 })
export const holds = (around: Place, inner: Place) =>
  inner.x >= around.x - 1 &&
  inner.y >= around.y - 1 &&
  inner.x + inner.width <= around.x + around.width + 1 &&
  inner.y + inner.height <= around.y + around.height + 1
export const meet = (a: Place, b: Place) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Expects the node in the middle of its pane. Near the ends of a graph this is impossible. */
export const expectCentred = async (page: Page, name: string) => {
  const [around, inner] = [middle(await box(pane(page, 'Stage'))), middle(await box(node(page, name)))]
  expect(Math.abs(around.x - inner.x), name).toBeLessThan(20)
  expect(Math.abs(around.y - inner.y), name).toBeLessThan(20)
}

/** `lint` and `unit` side by side, then `deploy` with two steps. */
export function diamond(host: Host): void {
  const done = { started: data.now - 200, stopped: data.now - 136 }
  withBuild(
    host,
    data.detail({
      stages: [
        data.stage({ name: 'lint', ...done }),
        data.stage({ number: 2, name: 'unit' }),
        data.stage({
          number: 3,
          name: 'deploy',
          depends_on: ['lint', 'unit'],
          steps: [
            data.step({ number: 1, name: 'ship', started: 1_700_000_000, stopped: 1_700_000_075 }),
            data.step({ number: 2, name: 'tell', status: 'running', stopped: undefined }),
            data.step({ number: 3, name: 'rest', status: 'pending', started: undefined, stopped: undefined }),
          ],
        }),
      ],
    }),
  )
}
