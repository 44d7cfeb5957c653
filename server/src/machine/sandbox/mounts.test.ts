import { expect, test } from 'vitest'
import { inherited } from './mounts.ts'

const mounts = [
  { path: '/', options: ['rw', 'noatime'] },
  { path: '/home', options: ['rw', 'nosuid', 'noexec', 'nodiratime'] },
  { path: '/home/ada/src', options: ['ro'] },
]

test('a folder keeps the options of the innermost mount at or above it', () => {
  expect(inherited(mounts, '/usr/lib')).toEqual(['noatime'])
  expect(inherited(mounts, '/home')).toEqual(['noexec', 'nodiratime'])
  expect(inherited(mounts, '/home/ada')).toEqual(['noexec', 'nodiratime'])
  expect(inherited(mounts, '/home/ada/src/web')).toEqual([])
  expect(inherited(mounts, '/')).toEqual(['noatime'])
})

test('a folder whose name only begins like a mount is not below it, and paths are resolved', () => {
  expect(inherited(mounts, '/homes/ada')).toEqual(['noatime'])
  expect(inherited(mounts, '/home/../usr')).toEqual(['noatime'])
  expect(inherited([], '/usr')).toEqual([])
})

test('of two mounts on one folder the later one counts', () => {
  expect(inherited([...mounts, { path: '/home', options: ['rw'] }], '/home/ada')).toEqual([])
})
