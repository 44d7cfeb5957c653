import { expect, test } from 'vitest'
import { faultsOf, measure } from './check-effects.mjs'

const drawing = (lines) =>
  ['{', ...Array.from({ length: lines - 3 }, () => '  act()'), '  return <p />', '}'].join('\n')
const namesOf = (text) => measure('x.tsx', text).components.map(({ name, lines }) => [name, lines])

test('counts calls of effects, not their names in strings', () => {
  const text = `
    // useEffect(() => undefined) is left out
    import { useEffect, useEffectEvent, useLayoutEffect } from 'react'
    export const useThing = () => {
      const hear = useEffectEvent(() => log('useEffect()'))
      useEffect(() => hear(), [])
      useLayoutEffect(hear)
      React.useInsertionEffect(hear)
    }
  `
  expect(measure('x.ts', text)).toMatchObject({ effects: 3, suppressions: 0, components: [], lines: 9 })
})

test('counts comments that disable the linter or the compiler', () => {
  const text = `
    // oxlint-disable-next-line no-console, no-alert
    console.log('oxlint-disable')
    export const p = <p>{/* oxlint-disable-next-line react/no-danger */}</p>
    // @ts-expect-error
    export const a: number = ''
  `
  expect(measure('x.tsx', text).suppressions).toBe(3)
})

test('a component is a function with a capitalized name that returns elements, even if renamed', () => {
  expect(namesOf(`export function Page() ${drawing(9)}`)).toEqual([['Page', 9]])
  expect(namesOf(`const Row = () => ${drawing(7)}`)).toEqual([['Row', 7]])
  expect(namesOf(`const Row = memo(function Row() ${drawing(7)})`)).toEqual([['Row', 7]])
  expect(namesOf(`const Row = memo(() => ${drawing(7)})`)).toEqual([['Row', 7]])
  // An element of a list is part of the component.
  expect(namesOf(`function List() {\n return items.map((item) => ${drawing(5)})\n}`)).toEqual([['List', 7]])
  expect(namesOf(`const List = () => items.map((item) => <p />)`)).toEqual([['List', 1]])
  expect(namesOf(`const useRows = () => ${drawing(300)}`)).toEqual([])
  expect(namesOf(`class Store {\n stop() {}\n}\nconst Most = 3\nfunction Sum() { return 1 }`)).toEqual([])
})

test('reports long components, and the files with the most effects', () => {
  const none = { lines: 1000, effects: 0, suppressions: 0, components: [] }
  expect(faultsOf([{ ...none, file: 'a.tsx', effects: 1 }])).toEqual([])
  expect(faultsOf([{ ...none, file: 'a.tsx', components: [{ name: 'Page', line: 4, lines: 150 }] }])).toEqual([])
  expect(faultsOf([{ ...none, file: 'a.tsx', components: [{ name: 'Page', line: 4, lines: 151 }] }])).toEqual([
    'a.tsx:4: Page has 151 lines, and 150 are the most',
  ])
  const files = [
    { ...none, file: 'a.tsx', effects: 1, suppressions: 1 },
    { ...none, file: 'b.ts', effects: 3 },
    { ...none, lines: 0, file: 'c.ts' },
  ]
  expect(faultsOf(files)).toEqual(['4 effects, and 1.5 for 1,000 lines are 3 at most:', '  3 in b.ts', '  1 in a.tsx'])
  expect(faultsOf([{ ...none, file: 'a.tsx', suppressions: 1 }])).toEqual([
    '1 suppressions, and 0.5 for 1,000 lines are 0 at most:',
    '  1 in a.tsx',
  ])
})
