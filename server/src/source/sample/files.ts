/**
 * The content of the sample repository: three pipelines, two of which run concurrently, and a small
 * program with real tests.
 */
import type { Platform } from '../../machine/platform.ts'

const program = `export function greet(name) {
  if (name.trim() === '') throw new TypeError('a name is needed')
  return \`Hello, \${name.trim()}!\`
}
`

const tests = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { greet } from './greet.mjs'

test('greets by name', () => {
  assert.equal(greet('Ada'), 'Hello, Ada!')
})

test('trims spaces', () => {
  assert.equal(greet('  Grace '), 'Hello, Grace!')
})

test('refuses an empty name', () => {
  assert.throws(() => greet(' '), TypeError)
})
`

const readme = `# hello

A sample repository of Flightdeck. \`.drone.yml\` defines the build: the pipelines \`test\` and \`soak\` run at the
same time, \`report\` waits for both.

It is an ordinary git repository. Change something and commit; a build starts automatically:

    git commit --allow-empty -m "Try it"
`

const pipelines = ({ os, arch }: Platform): string => `kind: pipeline
type: exec
name: test

platform:
  os: ${os}
  arch: ${arch}

steps:
  - name: unit tests
    environment:
      FORCE_COLOR: 1
    commands:
      - node --version
      - node --test --test-reporter=spec
  - name: colors
    commands:
      - printf '\\033[1mbold\\033[0m \\033[32mgreen\\033[0m \\033[33myellow\\033[0m \\033[31mred\\033[0m \\033[36mcyan\\033[0m\\n'
      - printf '\\033[30;42m PASS \\033[0m build %s of %s\\n' "$DRONE_BUILD_NUMBER" "$DRONE_REPO"

---
kind: pipeline
type: exec
name: soak

platform:
  os: ${os}
  arch: ${arch}

steps:
  - name: twenty seconds
    commands:
      - |
        i=1
        while [ "$i" -le 40 ]; do
          printf '\\033[90m%2d of 40\\033[0m still going\\n' "$i"
          sleep 0.5
          i=$((i + 1))
        done

---
kind: pipeline
type: exec
name: report

platform:
  os: ${os}
  arch: ${arch}

steps:
  - name: summary
    commands:
      - git --no-pager log -3 --format='%h %an %s'
      - printf '\\033[32mEverything passed.\\033[0m\\n'

depends_on:
  - test
  - soak
`

/** In the order of the commits that add the files. */
export const sampleCommits = (platform: Platform): { message: string; files: Record<string, string> }[] => [
  { message: 'Greet by name', files: { 'greet.mjs': program, 'README.md': readme } },
  { message: 'Test the greeting', files: { 'greet.test.mjs': tests } },
  { message: 'Build every commit', files: { '.drone.yml': pipelines(platform) } },
]
