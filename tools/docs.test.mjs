// Checks the references in pages and comments: files, headings of docs/api, rows of other pages.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/project.mjs'

const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(root, file)))
const textOf = (file) => readFileSync(join(root, file), 'utf8')
const pages = tracked.filter((file) => file.endsWith('.md'))
const code = tracked.filter((file) => /\.(tsx?|mjs|css)$/.test(file))

/** The anchor that Markdown renderers create for a heading. */
const anchorOf = (heading) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
const anchorsOf = (file) => [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading))

test('every link between pages has a target', () => {
  const dead = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path, anchor]) => {
        const target = path === '' ? page : normalize(join(dirname(page), path))
        if (!existsSync(join(root, target))) return true
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor)
      })
      .map(([link]) => `${page}: ${link}`),
  )
  expect(dead).toEqual([])
})

test('every committed picture is shown by a page', () => {
  const shown = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)\s]+\.webp)\)/g)].map(([, path]) => normalize(join(dirname(page), path))),
  )
  expect(tracked.filter((file) => file.startsWith('docs/pictures/') && !shown.includes(file))).toEqual([])
})

test('every file that a page or a comment names by its path exists', () => {
  // Paths with at least one folder: `app/shortcuts.tsx`. Paths that start with a dot or slash are
  // imports or URLs; `a.ts` is an example.
  const path = /(?<![\w./-])(?:[\w-]+\/)+[\w.-]+\.(?:tsx?|mjs|css|md)\b/g
  const named = (file) =>
    file.endsWith('.md')
      ? [...textOf(file).matchAll(/`([^`\n]+)`/g)].map(([, words]) => words)
      : [...textOf(file).matchAll(/^\s*(?:\/\*\*?|\*|\/\/)(.*)$/gm)].map(([, words]) => words)
  const isThere = (name) => tracked.some((file) => file === name || file.endsWith(`/${name}`))
  const missing = [...pages, ...code].flatMap((file) =>
    named(file)
      .flatMap((words) => words.match(path) ?? [])
      .filter((name) => !isThere(name) && !/\/a(\.test)?\.\w+$/.test(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(missing).toEqual([])
})

test('every cited section of docs/api exists', () => {
  const sections = new Set(
    pages
      .filter((page) => page.startsWith('docs/api/'))
      .flatMap((page) => [...textOf(page).matchAll(/^#+ (\d+(?:\.\d+)*)\b/gm)].map(([, number]) => number)),
  )
  expect(sections.size).toBeGreaterThan(50)
  const unknown = [...pages, ...code].flatMap((file) =>
    [...textOf(file).matchAll(/docs\/api §(\d+(?:\.\d+)*)/g)]
      .filter(([, number]) => !sections.has(number))
      .map(([words]) => `${file}: ${words}`),
  )
  expect(unknown).toEqual([])
})

test('every test title that docs/security.md quotes exists in its file', () => {
  const named = [...textOf('docs/security.md').matchAll(/`([\w./-]+\.(?:test|e2e)\.\w+)`: ([^|`]+)/g)]
  expect(named.length).toBeGreaterThan(50)
  const missing = named.flatMap(([, name, quotes]) => {
    const text = tracked
      .filter((file) => file === name || file.endsWith(`/${name}`))
      .map(textOf)
      .join('\n')
    return [...quotes.matchAll(/"([^"]+)"/g)]
      .filter(([, title]) => !text.includes(title))
      .map(([quote]) => `${name}: ${quote}`)
  })
  expect(missing).toEqual([])
})
