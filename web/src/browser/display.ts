/** The density of lists and the format of times: preferences of this browser, like the theme. */
import { readPreference, writePreference } from './preference.ts'
import { createStore } from './store.ts'

export const densities = ['comfortable', 'compact'] as const
export type Density = (typeof densities)[number]
export const timeForms = ['relative', 'absolute'] as const
export type TimeForm = (typeof timeForms)[number]

const readChoice = <T extends string>(key: string, choices: readonly [T, ...T[]]): T => {
  const value = readPreference(key)
  return choices.find((choice) => choice === value) ?? choices[0]
}

export const densityStore = createStore<Density>(readChoice('density', densities))
/**
 * The time format in lists. Where a page shows a single time, the specification requires an
 * absolute format.
 */
export const timeFormStore = createStore<TimeForm>(readChoice('times', timeForms))

const apply = (): void => {
  if (densityStore.get() === 'compact') document.documentElement.dataset.density = 'compact'
  else delete document.documentElement.dataset.density
}

export const setDensity = (density: Density): void => {
  densityStore.set(density)
  writePreference('density', density === 'comfortable' ? undefined : density)
  apply()
}

export const setTimeForm = (form: TimeForm): void => {
  timeFormStore.set(form)
  writePreference('times', form === 'relative' ? undefined : form)
}

/** The height in pixels with the border: `--row` of theme.css. */
export const rowPixels = (): number => {
  if (densityStore.get() === 'comfortable') return 53
  return matchMedia('(pointer: coarse)').matches ? 45 : 41
}

// Unit tests have no document.
if ('document' in globalThis) apply()
