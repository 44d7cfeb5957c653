// Checks that the numbers, options and files in docs/operate exist.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/project.mjs'
import { releaseScripts } from './lib/release-scripts.mjs'

const textOf = (file) => readFileSync(join(root, file), 'utf8')

test('the service, the image and the compose file use existing settings', () => {
  const options = textOf('README.md')
  for (const file of ['flightdeck.service', 'Dockerfile', 'compose.yaml']) {
    const names = textOf(`docs/operate/${file}`).match(/FLIGHTDECK_\w+/g)
    for (const name of names) expect(options, `${file}: ${name}`).toContain(`\`${name}\``)
  }
})

test('npm start, which guides and the server help mention, works in an unpacked release', () => {
  expect(releaseScripts.start).toBe('exec node server/dist/main.js')
  expect(textOf('tools/release.mjs')).toContain('scripts: releaseScripts')
})

test('nginx of Debian 12 supports the directives in the guides', () => {
  for (const file of readdirSync(join(root, 'docs/guide')))
    expect(textOf(`docs/guide/${file}`), file).not.toMatch(/^\s*http2 on;/m)
})

test('every command that starts a Drone runner keeps the ends of logs', () => {
  const files = [...readdirSync(join(root, 'docs/guide')).map((file) => `guide/${file}`), 'operate/compose.yaml']
  for (const file of files) {
    const text = textOf(`docs/${file}`)
    if (/DRONE_RPC_HOST(=|:|, value)/.test(text))
      expect(text, file).toMatch(/DRONE_DEFER_TAIL_LOG(=|: '|, value: ")true/)
  }
})

test('the image does not include data, keys and packages of this folder', () => {
  const ignored = textOf('.dockerignore').split('\n')
  for (const path of ['.git', 'data', 'release', '**/node_modules', '**/dist']) expect(ignored).toContain(path)
})

test('guides use existing options and variables', () => {
  const options = textOf('README.md')
  const pages = readdirSync(join(root, 'docs/guide')).map((file) => `docs/guide/${file}`)
  const unknown = [...pages, 'README.md'].flatMap((page) => {
    const text = textOf(page)
    const commands = text.match(/(?:npm start --|main\.js) [^\n`]*/g) ?? []
    const named = [
      ...commands.flatMap((command) => command.match(/(?<= )--[a-z][a-z-]+/g) ?? []),
      ...(text.match(/(?<=`)--[a-z][a-z-]+(?=[ `])/g) ?? []),
    ].filter((option) => option !== '--help')
    const variables = text.match(/(?<=`|^|\s)FLIGHTDECK_[A-Z_]+(?=[=`\s])/gm) ?? []
    return [
      ...named.filter((option) => !new RegExp(`\\| \`${option}[ \`]`).test(options)),
      ...variables.filter((name) => !options.includes(`\`${name}\``)),
    ].map((name) => `${page}: ${name}`)
  })
  expect(unknown).toEqual([])
})
