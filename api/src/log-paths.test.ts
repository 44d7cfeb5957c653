import { expect, test } from 'vitest'
import { pathInCommit } from './log-paths.ts'

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['./src/a.ts', 'src/a.ts'],
  ['src//./a.ts', 'src/a.ts'],
  ['src\\a.ts', 'src/a.ts'],
  ['/drone/src/src/a.ts', 'src/a.ts'],
  ['file:///drone/src/a.mjs', 'a.mjs'],
  ['/tmp/drone-4XdQ/drone/src/web/a.ts', 'web/a.ts'],
  ['C:\\drone\\src\\cmd\\main.go', 'cmd/main.go'],
  ['/home/ci/data/workspaces/12-aB3xyz/source/a.py', 'a.py'],
  ['/tmp/flightdeck-x/12-aB3xyz/source/lib/source/a.py', 'lib/source/a.py'],
  ['/go/src/github.com/acme/web/a.go', 'a.go'],
  // Relative to a subfolder of the repository, as CMake prints it.
  ['../src/main.c', 'src/main.c'],
  ['../../../etc/passwd', 'etc/passwd'],
  ['/drone/src/../../etc/passwd', undefined],
  ['/etc/passwd', undefined],
  ['/usr/lib/node_modules/npm/index.js', undefined],
  ['/drone/src', undefined],
  ['/', undefined],
  ['..', undefined],
  ['', undefined],
  ['a\0b', undefined],
  ['a\nb', undefined],
  ['a/'.repeat(600), undefined],
])('%j is %j in the commit', (printed, path) => {
  expect(pathInCommit(printed, 'acme/web')).toBe(path)
})
