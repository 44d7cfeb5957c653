import { expect, test } from 'vitest'

import { buildOf, idleEnoughMs, isQuiet, type Moment } from './new-version.ts'

test('the names of all scripts identify the build', () => {
  const page = (hash: string) =>
    `<!doctype html><script>theme()</script><script type="module" crossorigin src="/assets/vendor-1.js"></script>
    <script type="module" crossorigin src="/assets/index-${hash}.js"></script>`
  expect(buildOf(page('1'))).toBe('/assets/vendor-1.js /assets/index-1.js')
  expect(buildOf(page('2'))).not.toBe(buildOf(page('1')))
  expect(buildOf('<h1>502 Bad Gateway</h1>')).toBe('')
})

test('scripts of browser extensions, and other elements, are not part of the build', () => {
  const own = '<script src="/assets/index-1.js"></script>'
  const others = '<script src="chrome-extension://abc/inject.js"></script><source src="/a.js"><script>x()</script>'
  expect(buildOf(own + others)).toBe(buildOf(own))
})

const idle: Moment = { hidden: true, idleMs: 0, dialog: false, form: false, typing: false, sending: false }

test.each([
  ['a hidden tab', {}, true],
  ['a hidden tab with the focus in a filter', { typing: true }, true],
  ['a hidden tab with a form', { form: true }, false],
  ['a hidden tab with a dialog', { dialog: true }, false],
  ['a hidden tab that sends', { sending: true }, false],
  ['a tab that is read', { hidden: false, idleMs: idleEnoughMs - 1 }, false],
  ['an unused tab', { hidden: false, idleMs: idleEnoughMs }, true],
  ['an unused tab with the focus in a field', { hidden: false, idleMs: idleEnoughMs, typing: true }, false],
] as const)('%s', (_name, moment, expected) => {
  expect(isQuiet({ ...idle, ...moment })).toBe(expected)
})
