import { expect, test } from 'vitest'
import { faultOf, parts, readLabels, readLogs } from './corpus.mjs'
import { packTar, unpackTar } from './tar.mjs'

test.each(parts)('each log of the %s part has a matching label', (part) => {
  const logs = readLogs(part)
  const labels = readLabels(part)
  expect(logs.size).toBeGreaterThan(100)
  expect(Object.keys(labels).toSorted()).toEqual([...logs.keys()].toSorted())
  for (const [name, text] of logs) expect(faultOf(text, labels[name]), name).toBeUndefined()
})

test('an archive unpacks to the packed files, and the order of files does not change its bytes', () => {
  const files = new Map([
    ['b.log', Buffer.from('x'.repeat(512))],
    ['a.log', Buffer.from('é\r\n\u001b[31m')],
    ['empty.log', Buffer.alloc(0)],
  ])
  const archive = packTar(files)
  expect(unpackTar(archive)).toEqual(files)
  expect(packTar(new Map([...files].toReversed()))).toEqual(archive)
  expect(() => unpackTar(archive.subarray(0, 514))).toThrow('not an archive')
})

test.each([
  ['a line behind the end', { exit: 1, lines: [3] }, 'line 3 is not in the log, which has 2 lines'],
  ['a failure without its line', { exit: 1, lines: [] }, 'a failed step needs the line of its cause'],
  ['a success with one', { exit: 0, lines: [1] }, 'a step that passed has no cause'],
  ['a fitting one', { exit: 1, lines: [2] }, undefined],
])('a label: %s', (_, label, fault) => expect(faultOf('one\ntwo\n', label)).toBe(fault))
