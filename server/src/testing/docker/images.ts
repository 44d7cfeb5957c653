/**
 * For tests: images built from this machine's programs, since the tests cannot fetch any.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { rolldown } from 'rolldown'

const player = join(import.meta.dirname, '../player/main.ts')

const output = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()

/** A program and its linked libraries, each at its path on this machine. */
function addProgram(root: string, path: string, as = path): void {
  const lay = (from: string, to: string) => {
    const target = join(root, to)
    if (existsSync(target)) return
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(realpathSync(from), target)
    chmodSync(target, 0o755)
  }
  lay(path, as)
  for (const [, library = ''] of output('ldd', path).matchAll(/(\/\S+) \(0x/g)) lay(library, library)
}

/** An image as Docker imports it: a tar of all files, and the settings of a Dockerfile. */
async function importImage(socket: string, root: string, name: string, changes: readonly string[]): Promise<void> {
  const [repo = '', tag = 'latest'] = name.split(':')
  const query = new URLSearchParams({ fromSrc: '-', repo, tag })
  for (const change of changes) query.append('changes', change)
  const tar = spawn('tar', ['-C', root, '--owner=0', '--group=0', '-c', '.'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const answer = new Promise<string>((resolve, reject) => {
    const upload = request(
      { socketPath: socket, method: 'POST', path: `/v1.41/images/create?${query.toString()}`, agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () => resolve(text))
      },
    )
    upload.on('error', reject)
    pipeline(tar.stdout, upload).catch(reject)
  })
  const text = await answer
  if (/"error"/.test(text) || !/sha256:/.test(text)) throw new Error(`the image ${name} was not imported: ${text}`)
}

const clone = `#!/bin/sh
set -e
export HOME=/tmp
printf 'machine %s\\nlogin %s\\npassword %s\\n' "$DRONE_NETRC_MACHINE" "$DRONE_NETRC_USERNAME" "$DRONE_NETRC_PASSWORD" > /tmp/.netrc
git init -q .
git remote add origin "$DRONE_REMOTE_URL"
git fetch -q origin "+$DRONE_COMMIT_REF:"
git checkout -q "$DRONE_COMMIT_SHA"
echo "cloned from $DRONE_REMOTE_URL"
`

export interface ImageNames {
  runner: string
  /** Clones, and has a shell for steps. */
  git: string
}

export async function importImages(socket: string, names: ImageNames): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-images-'))
  try {
    const steps = join(folder, 'steps')
    const gitCore = output('git', '--exec-path').trim()
    for (const name of ['cat', 'sleep', 'ls', 'env']) addProgram(steps, join('/bin', name))
    addProgram(steps, '/bin/sh')
    addProgram(steps, output('sh', '-c', 'command -v git').trim(), '/usr/bin/git')
    for (const name of ['git', 'git-remote-http']) addProgram(steps, join(gitCore, name))
    for (const path of ['tmp', 'usr/share/git-core/templates']) mkdirSync(join(steps, path), { recursive: true })
    writeFileSync(join(steps, 'bin/clone'), clone, { mode: 0o755 })
    await importImage(socket, steps, names.git, ['ENTRYPOINT ["/bin/clone"]', 'ENV PATH=/usr/bin:/bin'])

    const runner = join(folder, 'runner')
    addProgram(runner, process.execPath, '/usr/bin/node')
    const bundle = await rolldown({ input: player, platform: 'node', external: [/^node:/], logLevel: 'warn' })
    await bundle.write({ file: join(runner, 'player.mjs'), format: 'esm', codeSplitting: false })
    await bundle.close()
    const facts = ['ENTRYPOINT ["/usr/bin/node","/player.mjs"]', `ENV DRONE_RUNNER_CLONE_IMAGE=${names.git}`]
    await importImage(socket, runner, names.runner, [...facts, 'ENV PLAYER_PAUSE=500'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
