import type { Page } from '@playwright/test'
import type { Stage } from '@flightdeck/api'
import type { Host } from '../../support/host.ts'
import { data } from '../../support/screens.ts'

/** A screen in a state that the running product is seldom in. */
export interface State {
  name: string
  path: string
  play: (host: Host) => unknown
  act?: (page: Page, host: Host) => Promise<void>
}

/** Where the window is narrow the console opens when its step is pressed (specification §2, narrower than 768 px). */
export const openConsole = async (page: Page): Promise<void> => {
  const console = page.getByRole('region', { name: 'Console' })
  const step = page.getByRole('navigation', { name: 'Pipeline stages' }).getByRole('link')
  await console.or(step.last()).first().waitFor()
  if (!(await console.isVisible())) await step.last().click()
}

export const never = () => new Promise<never>(() => {})
export const repo = '/api/repos/octocat/hello'
export const build = `${repo}/builds/42`
export const running = { started: data.now - 60, stopped: 0 }
export const waiting = { started: 0, stopped: 0 }

/** Its times are seconds from now; 0 as its end: it runs. */
export const stage = (number: number, name: string, from: number, to: number, more: Partial<Stage> = {}) =>
  data.stage({ number, name, created: 0, started: data.now + from, stopped: to === 0 ? 0 : data.now + to, ...more })
