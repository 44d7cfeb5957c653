import { expect, test } from 'vitest'
import { checkValues, isList, partsOfList } from './json-check.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
/** As a reader of a log's batch puts it together again. */
const parsed = (text: string): unknown[] =>
  [...partsOfList(bytesOf(text))].flatMap((part, index) => (JSON.parse(part) as unknown[]).slice(index === 0 ? 0 : 1))

const many = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, i) => item(i)).join()

test('the parts of a list hold what it holds', () => {
  const odd = String.raw`{"pos":1,"out":"a \" , ] } \\","n":[[],{}]},"é€😀",null,-1.5e3 , true`
  const lists = [
    '[]',
    ' \n[ ] \n',
    `[${odd}]`,
    `[${many(8_000, (i) => `{"pos":${i},"out":"é,]\\"\\\\"}`)}]`,
    `\n[${many(2_000, () => odd)}]\n `,
    `[${many(3, () => JSON.stringify('x'.repeat(200_000)))}]`,
  ]
  for (const text of lists) expect(parsed(text)).toEqual(JSON.parse(text))
  expect([...partsOfList(bytesOf(lists[3] ?? ''))].length).toBeGreaterThan(3)
})

test('what is no JSON is none in parts either', () => {
  const long = many(3_000, (i) => `{"pos":${i}}`)
  const wrong = ['[', '[1,]', '[,1]', '[1]]', '[1] x', '[1}', '[{]', '[{"a":1]}', '["a]', `[${long}`, `[${long},]`]
  const inside = [`[${long},,1]`, `[${long},}]`, `[${long},{],[}]`, `[${long}]1`, `[${long} 1]`]
  for (const text of [...wrong, ...inside]) {
    expect(() => JSON.parse(text) as unknown).toThrow()
    expect(() => parsed(text), text.slice(-20)).toThrow()
  }
})

test('a list is known by its first sign', () => {
  expect(['[1]', ' \t\r\n[', '{"a":[]}', 'null', '', '  '].map((text) => isList(bytesOf(text)))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

test('too many values or levels are refused, long texts are not', async () => {
  const refused = (text: string) => checkValues(bytesOf(text), 1_000)
  await refused(JSON.stringify({ data: `${'[{",:'.repeat(50_000)}\\"` }))
  await refused(`[${many(900, () => '1')}]`)
  for (const text of [
    `[${many(2_000, () => '{}')}]`,
    '['.repeat(200),
    '{"a":'.repeat(150),
    `{${many(600, () => '"a":1')}}`,
  ]) {
    await expect(refused(text)).rejects.toThrow('too many values')
  }
  expect(() => parsed(`[${'['.repeat(200)}`)).toThrow('too many values')
  expect(() => parsed(`[[${many(50_000, () => '1')}]]`)).toThrow('too many values')
})
