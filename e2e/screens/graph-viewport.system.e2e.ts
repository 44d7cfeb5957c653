/** The visible part of a graph, how it is moved, and its layout with few and many stages. */
import type { Locator } from '@playwright/test'
import { graphOf, shapes } from '../support/graphs.ts'
import { drawer, expectCentred, graph, holds, level, meet, middle, node, pane } from '../support/graph-view.ts'
import { box, data, expect, fitsWidth, rest, styleOf, test, withBuild } from '../support/screens.ts'

const shapeSizes = [5, 9, 32, 60] as const

test('each graph opens with all nodes, and never below 70 %: then at the selected, failed or running node', async ({
  page,
  host,
  go,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const size of [5, 9] as const) {
    withBuild(host, data.detail({ stages: graphOf(size) }))
    await go('/octocat/hello/42?view=graph')
    await expect(graph(page, 'Stage').getByRole('listitem')).toHaveCount(size)
    expect(await level(page, 'Stage')).toBeGreaterThanOrEqual(70)
    const around = await box(pane(page, 'Stage'))
    for (const link of await graph(page, 'Stage').getByRole('link').all())
      expect(holds(around, await box(link))).toBe(true)
    await expect(graph(page, 'Stage').locator('[data-overview]')).toHaveCount(0)
  }
  const big = (over?: Parameters<typeof graphOf>[1], path = '') => {
    withBuild(host, data.detail({ status: 'running', stages: graphOf(60, over) }))
    return go(`/octocat/hello/42${path}?view=graph`)
  }
  await big((name) => (name === 'e2e-4' ? { status: 'failure' } : name === 'e2e-7' ? { status: 'running' } : {}))
  await expect(node(page, 'e2e-4')).toBeVisible()
  expect(await level(page, 'Stage')).toBe(70)
  await expectCentred(page, 'e2e-4')
  await big((name) => (name === 'e2e-7' ? { status: 'running' } : {}))
  await expectCentred(page, 'e2e-7')
  await big((name) => (name === 'e2e-4' ? { status: 'failure' } : {}), '/43/1')
  await expectCentred(page, 'e2e-7')
})

for (const size of shapeSizes)
  test(`${size} stages are in columns by depth, each to the right of its dependencies, and edges only point right`, async ({
    page,
    host,
    go,
  }) => {
    withBuild(host, data.detail({ stages: graphOf(size) }))
    await page.setViewportSize({ width: 1440, height: 900 })
    await go('/octocat/hello/42?view=graph')
    await expect(graph(page, 'Stage').getByRole('listitem')).toHaveCount(size)
    const scale = (await level(page, 'Stage')) / 100
    const lefts = new Map<string, number>()
    for (const [name] of shapes[size]) lefts.set(name, (await box(node(page, name))).x)
    const first = Math.min(...lefts.values())
    const columns = new Map<string, number>()
    for (const [name, ...needs] of shapes[size]) {
      const depth = Math.max(-1, ...needs.map((need) => columns.get(need) ?? 0)) + 1
      columns.set(name, depth)
      expect(((lefts.get(name) ?? 0) - first) / scale, name).toBeCloseTo(depth * 275, -1)
    }
    // The points of each edge, from left to right.
    const back = await graph(page, 'Stage')
      .locator('svg[aria-hidden=true] > path[stroke-width]')
      .evaluateAll((paths) =>
        paths
          .flatMap((path) => (path.getAttribute('d') ?? '').split('M').filter(Boolean))
          .filter((line) => {
            const numbers = [...line.matchAll(/-?\d+(?:\.\d+)?/g)].map(([text]) => Number(text))
            const xs = numbers.filter((_, index) => index % 2 === 0)
            return xs.some((x, index) => index > 0 && x < (xs[index - 1] ?? 0) - 1)
          }),
      )
    expect(back).toEqual([])
  })

test('an overview of sixty stages shows the visible part, and a click or drag on it moves the graph', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ stages: graphOf(60) }))
  await go('/octocat/hello/42/1/1?view=graph')
  await expect(node(page, 'lint-1')).toBeInViewport()
  await expect(node(page, 'notify')).not.toBeInViewport()
  const overview = graph(page, 'Stage').locator('[data-overview]')
  const seen = overview.locator('rect')
  const place = await box(overview)
  const before = await box(seen)
  expect(before.x + before.width / 2).toBeLessThan(place.x + place.width / 2)
  const at = (part: number) => [place.x + place.width * part, place.y + place.height / 3] as const
  await page.mouse.move(...at(0.5))
  await page.mouse.down()
  await page.mouse.move(...at(0.97), { steps: 5 })
  await page.mouse.up()
  await expect(node(page, 'notify')).toBeInViewport()
  await expect(node(page, 'lint-1')).not.toBeInViewport()
  const after = await box(seen)
  expect(after.x + after.width / 2).toBeGreaterThan(place.x + place.width / 2)
})

test('failed nodes have a red border, waiting ones a dashed one, and the critical path has a label and its time', async ({
  page,
  host,
  go,
}) => {
  const status = {
    lint: 'failure',
    unit: 'success',
    build: 'pending',
    e2e: 'waiting_on_dependencies',
    deploy: 'skipped',
  }
  const time = { lint: 40, unit: 75 } as Record<string, number>
  const stages = graphOf(5, (name) => ({
    status: status[name as keyof typeof status] as 'success',
    started: time[name] ? data.now - 500 : 0,
    stopped: time[name] ? data.now - 500 + time[name] : 0,
  }))
  withBuild(host, data.detail({ status: 'failure', stages }))
  await go('/octocat/hello/42?view=graph')
  const card = (name: string) => graph(page, 'Stage').getByRole('listitem').filter({ hasText: name }).locator('> *')
  const failedColor = await styleOf(card('lint').locator('svg'), 'color')
  expect(await styleOf(card('lint'), 'border-left-color')).toBe(failedColor)
  expect(await styleOf(card('lint'), 'border-left-width')).toBe('3px')
  for (const name of ['build', 'e2e']) expect(await styleOf(card(name), 'border-left-style'), name).toBe('dashed')
  for (const name of ['lint', 'unit', 'deploy'])
    expect(await styleOf(card(name), 'border-left-style'), name).toBe('solid')
  await expect(graph(page, 'Stage').getByText('Critical path so far 1m 15s')).toBeVisible()
  await expect(node(page, 'unit')).toContainText('1m 15s · critical')
  await expect(node(page, 'lint')).not.toContainText('critical')
  // Nodes that have not run are not part of the critical path.
  for (const name of ['build', 'deploy']) await expect(card(name)).not.toContainText('critical')
})

for (const [width, height] of [
  [1440, 900],
  [768, 1024],
  [390, 844],
] as const)
  test(`at ${width} px the drawer shows the log of the step and does not cover its node`, async ({
    page,
    host,
    go,
  }) => {
    withBuild(host, data.detail({ stages: graphOf(60) }))
    await page.setViewportSize({ width, height })
    await go('/octocat/hello/42/60/1?view=graph')
    await node(page, 'notify').click()
    await expect(page).toHaveURL(/\/42\/60\/1\?view=graph&drawer=stage/)
    const isClear = async (chosen: Locator) => {
      await expect(chosen).toHaveAttribute('aria-current', 'true')
      await expect(drawer(page).getByRole('log')).toContainText('line 3')
      await rest(page)
      const [info, card] = [await box(drawer(page)), await box(chosen)]
      expect(meet(info, card), JSON.stringify({ info, card })).toBe(false)
      const [from, log] = [await box(drawer(page).getByText('Duration')), await box(drawer(page).getByRole('log'))]
      expect(log.y).toBeGreaterThan(from.y)
    }
    await isClear(node(page, 'notify'))
    await page.keyboard.press('Escape')
    await expect(drawer(page)).toHaveCount(0)
    if (width < 768) await page.getByRole('button', { name: /^Steps of/ }).click()
    const last = graph(page, 'Step').getByRole('link', { name: /make notify/ })
    await last.click()
    await isClear(last)
    await page.reload()
    await isClear(last)
    await fitsWidth(page)
    await drawer(page).getByRole('button', { name: 'Close' }).click()
    await expect(last).toBeFocused()
    await expect(page).toHaveURL(/\/42\/60\/2\?view=graph(&graph=steps)?(&stages=[\d-]+)?$/)
  })

test('the graph is moved by a drag, by the wheel and by the arrows; plus, minus and 0 zoom it', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ stages: graphOf(60) }))
  await go('/octocat/hello/42/20/1?view=graph')
  const chosen = node(page, 'unit-4')
  await expect(chosen).toBeVisible()
  const at = async () => middle(await box(chosen))
  const start = await at()
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x - 120, start.y - 50, { steps: 6 })
  await page.mouse.up()
  const dragged = await at()
  expect(dragged.x - start.x).toBeCloseTo(-120, -1)
  expect(dragged.y - start.y).toBeCloseTo(-50, -1)
  // Dragging from a node does not select it.
  await expect(drawer(page)).toHaveCount(0)
  await page.mouse.wheel(0, 100)
  await expect.poll(async () => (await at()).y - dragged.y).toBeLessThan(-90)
  await page.mouse.wheel(-80, 0)
  await expect.poll(async () => (await at()).x - dragged.x).toBeGreaterThan(70)
  const wheeled = await at()
  await pane(page, 'Stage').focus()
  for (const key of ['ArrowRight', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key)
  const pressed = await at()
  expect(pressed.x).toBeLessThan(wheeled.x)
  expect(pressed.y).toBeGreaterThan(wheeled.y)
  await page.keyboard.press('+')
  await expect.poll(() => level(page, 'Stage')).toBe(90)
  // The graph is larger, and the middle of the pane still shows the same point.
  const around = middle(await box(pane(page, 'Stage')))
  const zoomed = await at()
  expect(zoomed.x - around.x).toBeCloseTo(((pressed.x - around.x) * 90) / 70, -1)
  await page.keyboard.press('-')
  await expect.poll(() => level(page, 'Stage')).toBe(70)
  await page.keyboard.press('0')
  await expect.poll(() => level(page, 'Stage')).toBeLessThan(70)
  const room = await box(pane(page, 'Stage'))
  for (const name of ['lint-1', 'notify', 'unit-20']) expect(holds(room, await box(node(page, name)))).toBe(true)
  // Ctrl and the wheel zoom at the pointer.
  const under = await at()
  await page.mouse.move(under.x, under.y)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -300)
  await page.keyboard.up('Control')
  await expect.poll(() => level(page, 'Stage')).toBeGreaterThan(70)
  expect(Math.abs((await at()).x - under.x)).toBeLessThan(3)
})

test('a vertical wheel scrolls a chain horizontally', async ({ page, host, go }) => {
  const chain = Array.from({ length: 60 }, (_, index) => data.stage({ number: index + 1, name: `s${index + 1}` }))
  withBuild(host, data.detail({ stages: chain }))
  await go('/octocat/hello/42/1/1?view=graph')
  const first = node(page, 's1')
  const before = await box(first)
  await page.mouse.move(before.x, before.y - 20)
  await page.mouse.wheel(0, 120)
  await expect.poll(async () => before.x - (await box(first)).x).toBeCloseTo(120, -1)
})

test('zoom and position are in the URL: reload, a shared link and Back show the same part of the graph', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ stages: graphOf(60) }))
  await go('/octocat/hello/42/1/1?view=graph')
  await expect(node(page, 'lint-1')).toBeVisible()
  await expect(page).toHaveURL(/\?view=graph$/)
  await pane(page, 'Stage').focus()
  await page.keyboard.press('+')
  await expect(page).toHaveURL(/\?view=graph&stages=90-\d+-\d+$/)
  const inAddress = () => Number(/=90-(\d+)-/.exec(page.url())?.[1])
  const [start, at] = [await box(node(page, 'unit-1')), inAddress()]
  for (let press = 0; press < 8; press++) await page.keyboard.press('ArrowRight')
  const before = await box(node(page, 'unit-1'))
  expect(start.x - before.x).toBeGreaterThan(200)
  // The whole distance: with slow drags the URL has intermediate positions.
  await expect.poll(() => (inAddress() - at) * 0.9).toBeCloseTo(start.x - before.x, -1)
  await page.reload()
  await expect(node(page, 'unit-1')).toBeVisible()
  expect(await level(page, 'Stage')).toBe(90)
  const after = await box(node(page, 'unit-1'))
  expect(Math.abs(after.x - before.x)).toBeLessThan(3)
  expect(Math.abs(after.y - before.y)).toBeLessThan(3)
  // Moving the graph adds no history entry, selecting does.
  await node(page, 'unit-1').press('Enter')
  await expect(page).toHaveURL(/\/42\/17\/1\?view=graph&stages=90-\d+-\d+&drawer=stage$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/42\/1\/1\?view=graph&stages=90-\d+-\d+$/)
  await expect(drawer(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  for (const place of ['999-1-1', '90-x-1', '%00', '90-999999-999999', '-1--1--1']) {
    await go(`/octocat/hello/42/1/1?view=graph&stages=${place}&steps=${place}`)
    await expect(node(page, 'lint-1')).toBeAttached()
    expect(await level(page, 'Stage')).toBeLessThanOrEqual(300)
  }
})

test('the graph of a running build stays up to date, and visible nodes do not move', async ({ page, host, go }) => {
  const stages = (done: number) =>
    graphOf(60, (_name, number) => ({
      version: 10 + done,
      ...(number > done && { status: number === done + 1 ? 'running' : 'waiting_on_dependencies', stopped: 0 }),
    }))
  const detailAfter = (done: number) => data.detail({ status: 'running', version: 10 + done, stages: stages(done) })
  withBuild(host, detailAfter(20))
  await go('/octocat/hello/42/20/1?view=graph')
  await expect(node(page, 'unit-5')).toContainText(/unit-5/)
  await pane(page, 'Stage').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/stages=/)
  const before = await box(node(page, 'unit-4'))
  for (const done of [21, 22, 23]) {
    withBuild(host, detailAfter(done))
    await host.push('/api/stream', { ...data.repo(), build: detailAfter(done) })
    const name = `unit-${done - 16}`
    await expect(graph(page, 'Stage').getByRole('link', { name: new RegExp(`^success ${name} `) })).toBeAttached()
    expect(await box(node(page, 'unit-4'))).toEqual(before)
  }
})

test('new steps do not move the selected one', async ({ page, host, go }) => {
  const status = (count: number) =>
    data.detail({
      status: 'running',
      version: 10 + count,
      stages: [
        data.stage({
          status: 'running',
          version: 10 + count,
          steps: Array.from({ length: count }, (_, index) =>
            data.step({ number: index + 1, name: `step-${index + 1}`, version: 10 + count }),
          ),
        }),
      ],
    })
  withBuild(host, status(8))
  await go('/octocat/hello/42/1/3?view=graph')
  const chosen = graph(page, 'Step').getByRole('link', { name: /step-3/ })
  await expect(chosen).toBeVisible()
  const before = await box(chosen)
  withBuild(host, status(14))
  await host.push('/api/stream', { ...data.repo(), build: status(14) })
  await expect(graph(page, 'Step').getByRole('listitem')).toHaveCount(14)
  const after = await box(chosen)
  expect(Math.abs(after.x - before.x)).toBeLessThan(2)
  expect(Math.abs(after.y - before.y)).toBeLessThan(2)
})

test('by keyboard the nodes are focused one after the other, visible, each with its status in its name', async ({
  page,
  host,
  go,
}) => {
  withBuild(host, data.detail({ stages: graphOf(60, (name) => (name === 'lint-2' ? { status: 'failure' } : {})) }))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await go('/octocat/hello/42/1/1?view=graph')
  await expect(node(page, 'lint-1')).toBeVisible()
  await pane(page, 'Stage').focus()
  const around = await box(pane(page, 'Stage'))
  for (const [index, [name]] of shapes[60].slice(0, 24).entries()) {
    await page.keyboard.press('Tab')
    const link = graph(page, 'Stage').getByRole('link', {
      name: new RegExp(`^${name === 'lint-2' ? 'failure' : 'success'} ${name} ${10 + index}s`),
    })
    await expect(link).toBeFocused()
    expect(holds(around, await box(link)), name).toBe(true)
    expect(await styleOf(link, 'outline-style')).not.toBe('none')
  }
  await page.keyboard.press('Enter')
  await expect(drawer(page)).toBeVisible()
  // Nothing is animated for users who prefer reduced motion.
  const moving = () =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1)
      .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target?.outerHTML.slice(0, 90) : ''))
  expect(await page.evaluate(moving)).toEqual([])
  const chosen = node(page, 'unit-8')
  await expect(chosen).toBeFocused()
  expect(meet(await box(drawer(page)), await box(chosen))).toBe(false)
})

test.describe('with two fingers', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  test('the graph zooms at their position', async ({ page, host, go }) => {
    withBuild(host, data.detail({ stages: graphOf(60) }))
    await go('/octocat/hello/42/20/1?view=graph')
    const chosen = node(page, 'unit-4')
    await expect(chosen).toBeVisible()
    const card = await box(chosen)
    const { x, y } = middle(card)
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', distance?: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: distance === undefined ? [] : [-distance, distance].map((to, id) => ({ x: x + to, y, id })),
      })
    await touch('touchStart', 40)
    for (const distance of [45, 50, 55, 60]) await touch('touchMove', distance)
    await touch('touchEnd')
    await expect.poll(async () => (await box(chosen)).width / card.width).toBeCloseTo(1.5, 1)
    const after = middle(await box(chosen))
    expect(Math.abs(after.x - x)).toBeLessThan(6)
    expect(Math.abs(after.y - y)).toBeLessThan(6)
    // The page itself is not zoomed.
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1)
    await expect(page).toHaveURL(/stages=12\d-/)
  })
})
