import { expect, test } from 'vitest'
import { findFileLocations } from './file-locations.ts'

const locationsIn = (text: string) => findFileLocations(text).map(({ path, line }) => `${path} ${line}`)

// As printed by the tools.
test.each([
  [' ❯ src/a.test.ts:12:3', 'src/a.test.ts 12'],
  ['    at Object.<anonymous> (src/a.test.ts:12:5)', 'src/a.test.ts 12'],
  ['    at add (file:///drone/src/a.mjs:3:1)', '/drone/src/a.mjs 3'],
  ["src/a.ts(12,3): error TS2322: Type 'x'", 'src/a.ts 12'],
  ['src/a.ts:12:3 - error TS2322', 'src/a.ts 12'],
  ['  File "x.py", line 12, in <module>', 'x.py 12'],
  ['  File "/drone/src/my module/x.py", line 12', '/drone/src/my module/x.py 12'],
  ['    a_test.go:12: got 1', 'a_test.go 12'],
  ['./main.go:12:3: undefined: x', './main.go 12'],
  ['  --> src/main.rs:12:5', 'src/main.rs 12'],
  ["../src/main.c:12:3: error: expected ';'", '../src/main.c 12'],
  ['Makefile:12: *** missing separator', 'Makefile 12'],
  ['\tat com.acme.Foo.bar(Foo.java:12)', 'Foo.java 12'],
  ['[ERROR] /drone/src/src/Foo.java:[12,3] x', ''],
  ['PHP Fatal error: in /drone/src/a.php on line 12', '/drone/src/a.php 12'],
  ['died at a.pl line 12.', 'a.pl 12'],
  ["a.rb:12:in `load'", 'a.rb 12'],
  ['D:\\drone\\src\\a.cs(12,3): error CS1002', 'D:\\drone\\src\\a.cs 12'],
  ['src/[id]/page.tsx:12:3', 'src/[id]/page.tsx 12'],
  ['[web/a.ts:12]', 'web/a.ts 12'],
  ['src/größe.ts:12', 'src/größe.ts 12'],
  ['see src/a.ts:12.', 'src/a.ts 12'],
  ['tests/x.py:12: AssertionError', 'tests/x.py 12'],
])('%j names %j', (text, place) => {
  expect(locationsIn(text).join()).toBe(place)
})

test.each([
  '12:30:45 started',
  '2026-11-22T10:00:00.123Z:1',
  'listening on localhost:8080',
  'GET example.com:443',
  'https://example.com/a.js:12:3',
  'http://127.0.0.1:3000/x',
  '127.0.0.1:8080',
  'node:internal/process/task_queues:95:5',
  'image alpine:3.19',
  'ratio 3:2, call(1,2)',
  'line 12',
  'a.ts:0',
  'sha256:12345',
  'src/a.ts:12345678',
  'version 1.2.3:4',
])('%j names none', (text) => {
  expect(locationsIn(text)).toEqual([])
})

test('all hits of a line are found, with their columns', () => {
  const text = 'a.ts:1:2 and (b.ts:3) and File "c.py", line 4'
  expect(findFileLocations(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    'a.ts:1:2',
    'b.ts:3',
    'c.py", line 4',
  ])
  expect(findFileLocations('a.ts:1 '.repeat(500))).toHaveLength(20)
})

test('text beyond the shown part of a line is not searched', () => {
  expect(findFileLocations(`${' '.repeat(9_900)}a.ts:1`)).toHaveLength(1)
  expect(findFileLocations(`${' '.repeat(10_000)}a.ts:1`)).toEqual([])
})
