// Creates `release/flightdeck-VERSION.tar.gz`, which runs without a package registry:
// `node server/dist/main.js` in its folder, with only Node. It has the bundled server, the page,
// the guides, and the one package that is not bundled (SQLite, with binaries per platform).
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './lib/parts.mjs'
import { releaseScripts } from './lib/release-scripts.mjs'
import { checkNode, install, root } from './lib/project.mjs'

checkNode()
install()
if (build().length > 0) process.exit(1)

const { version, engines, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const name = `flightdeck-${version}`
const scratch = mkdtempSync(join(tmpdir(), 'flightdeck-release-'))
const folder = join(scratch, name)

const copy = (path, keep = () => true) =>
  cpSync(join(root, path), join(folder, path), { recursive: true, dereference: true, filter: keep })

try {
  mkdirSync(folder)
  for (const path of ['LICENSE', 'README.md', 'docs/guide', 'docs/operate']) copy(path)
  copy('web/dist')
  copy('server/dist', (path) => !path.endsWith('.map'))
  // Its compiled binaries and their JavaScript, without the sources.
  for (const part of ['dist', 'prebuilds', 'package.json', 'LICENSE'])
    copy(`node_modules/@photostructure/sqlite/${part}`)
  copy('node_modules/node-gyp-build')
  const about = {
    name: 'flightdeck',
    version,
    license,
    private: true,
    type: 'module',
    engines,
    scripts: releaseScripts,
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(about, null, 2)}\n`)
  const target = join(root, 'release')
  mkdirSync(target, { recursive: true })
  const archive = join(target, `${name}.tar.gz`)
  const words = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '-czf', archive, '-C', scratch, name]
  if (spawnSync('tar', words, { stdio: 'inherit' }).status !== 0) throw new Error('tar failed')
  console.log(`${archive}: ${readdirSync(folder, { recursive: true }).length} files`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
