import { expect, test } from 'vitest'
import { inheritedMounts } from './mounts.ts'

const mounts = [
  { path: '/', options: ['rw', 'noatime'] },
  { path: '/home', options: ['rw', 'nosuid', 'noexec', 'nodiratime'] },
  { path: '/home/ada/src', options: ['ro'] },
]

test('a folder keeps the options of the innermost mount at or above it', () => {
  expect(inheritedMounts(mounts, '/usr/lib')).toEqual(['noatime'])
  expect(inheritedMounts(mounts, '/home')).toEqual(['noexec', 'nodiratime'])
  expect(inheritedMounts(mounts, '/home/ada')).toEqual(['noexec', 'nodiratime'])
  expect(inheritedMounts(mounts, '/home/ada/src/web')).toEqual([])
  expect(inheritedMounts(mounts, '/')).toEqual(['noatime'])
})

test('a folder whose name only begins like a mount is not below it, and paths are resolved', () => {
  expect(inheritedMounts(mounts, '/homes/ada')).toEqual(['noatime'])
  expect(inheritedMounts(mounts, '/home/../usr')).toEqual(['noatime'])
  expect(inheritedMounts([], '/usr')).toEqual([])
})

test('of two mounts on one folder the later one counts', () => {
  expect(inheritedMounts([...mounts, { path: '/home', options: ['rw'] }], '/home/ada')).toEqual([])
})
