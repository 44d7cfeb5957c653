import { readPreference, writePreference } from './preference.ts'
import { createStore } from './store.ts'

/**
 * `system` follows the operating system, including later changes. A script in index.html sets the
 * theme for the first paint.
 */
export type Theme = 'system' | 'light' | 'dark'
export const themes: readonly Theme[] = ['system', 'light', 'dark']

const dark = matchMedia('(prefers-color-scheme: dark)')
const stored = readPreference('theme')

export const themeStore = createStore<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system')

const apply = (): void => {
  const theme = themeStore.get()
  document.documentElement.dataset.theme = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
}

export const setTheme = (theme: Theme): void => {
  themeStore.set(theme)
  writePreference('theme', theme === 'system' ? undefined : theme)
  apply()
}

dark.addEventListener('change', apply)
apply()
