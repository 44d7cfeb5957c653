/** Text on colored backgrounds, in each state and both themes (design.md, "Colour"). */
import { statuses } from '@flightdeck/api'
import type { Page } from '@playwright/test'
import { weakTexts } from '../support/contrast.ts'
import { data, expect, ok, rest, test, withBuild, withRepo } from '../support/screens.ts'

const themes = ['light', 'dark'] as const
const inTheme = (page: Page, theme: (typeof themes)[number]) => page.emulateMedia({ colorScheme: theme })

test('the status chip of the builds page in every state, at rest and on hover', async ({ page, host, go }) => {
  for (const status of statuses) {
    withRepo(host, {}, [data.build({ status })])
    await go('/octocat/hello')
    const chip = page.locator('dl span').getByText(status.replaceAll('_', ' '), { exact: true }).last()
    await expect(chip).toBeVisible()
    for (const theme of themes) {
      await inTheme(page, theme)
      for (const place of [chip, page.getByRole('region', { name: 'Executions' }).getByRole('link')]) {
        await place.hover()
        await rest(page)
        expect(await weakTexts(page, 'main'), `${theme} ${status}`).toEqual([])
      }
    }
  }
})

test('stages, steps and the banner of the build page in every state', async ({ page, host, go }) => {
  const all = statuses.map((status, index) =>
    data.stage({ number: index + 1, name: `stage ${status}`, status, steps: [data.step({ status })] }),
  )
  for (const theme of themes) {
    await inTheme(page, theme)
    for (const status of ['success', 'failure', 'running', 'killed'] as const) {
      withBuild(host, data.detail({ status, error: 'it broke', stages: all }))
      await go('/octocat/hello/42/2/1')
      const chosen = page.getByRole('navigation', { name: 'Pipeline stages' }).locator('[aria-current=page]')
      await expect(chosen).toBeVisible()
      for (const row of [chosen, page.getByRole('button', { name: /stage success/ })]) {
        await row.hover()
        await rest(page)
        expect(await weakTexts(page, 'main'), `${theme} ${status}`).toEqual([])
      }
    }
  }
})

test('hovered rows: dashboard, branches, users, secrets', async ({ page, host, go }) => {
  const repo = withRepo(host)
  host
    .on('GET /api/user', ok(data.user({ admin: true })))
    .on('GET /api/user/repos', ok([{ ...repo, build: data.build() }]))
    .on('GET /api/repos/octocat/hello/builds/branches', ok([data.build()]))
    .on('GET /api/users', ok([data.user({ admin: true }), data.user({ id: 2, login: 'ann', machine: true })]))
    .on('GET /api/repos/octocat/hello/secrets', ok([data.secret({ pull_request: true })]))
  for (const theme of themes) {
    await inTheme(page, theme)
    for (const path of ['/', '/octocat/hello/branches', '/settings/users', '/octocat/hello/settings/secrets']) {
      await go(path)
      const row = page.getByRole('main').getByRole('listitem').last()
      await row.hover()
      await rest(page)
      expect(await weakTexts(page, 'main'), `${theme} ${path}`).toEqual([])
    }
  }
})
