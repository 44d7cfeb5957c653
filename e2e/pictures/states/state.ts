import type { Page } from '@playwright/test'
import type { Stage } from '@flightdeck/api'
import type { Host } from '../../support/host.ts'
import { data } from '../../support/screens.ts'

/** A screen in a state that is rare in the running product. */
export interface State {
  name: string
  path: string
  play: (host: Host) => unknown
  act?: (page: Page, host: Host) => Promise<void>
}

/**
 * In a narrow window, the console opens when its step is clicked (specification §2, narrower than
 * 768 px).
 */
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

/** `from` and `to` are seconds from now; a `to` of 0 means that the stage is running. */
export const stage = (number: number, name: string, from: number, to: number, more: Partial<Stage> = {}) =>
  data.stage({ number, name, created: 0, started: data.now + from, stopped: to === 0 ? 0 : data.now + to, ...more })
