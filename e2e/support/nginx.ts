/** A real nginx with the configuration of docs/guide/behind-nginx.md, which the tests check. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { selfSigned } from '../../server/src/testing/certificate.ts'
import { freePort } from './behind-gateway.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The path of the program, or the reason why it is missing. */
export function findNginx(): { path: string } | { reason: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'tools/nginx.mjs')], { encoding: 'utf8' })
  return status === 0 ? { path: stdout.trim() } : { reason: stderr.trim() }
}

const guide = readFileSync(join(root, 'docs/guide/behind-nginx.md'), 'utf8')
const [whole = '', withTls = ''] = [...guide.matchAll(/```nginx\n([\s\S]*?)```/g)].map(([, text]) => text)

/** Replaces strings that occur exactly once in `text`. */
function replaced(text: string, others: Record<string, string>): string {
  let own = text
  for (const [path, other] of Object.entries(others)) {
    if (own.split(path).length !== 2) throw new Error(`the guide has not one ${path}`)
    own = own.replace(path, () => other)
  }
  return own
}

/** The guide's configuration with a different folder, port, server and certificate. */
function configuration(port: number, server: string, tls?: { key: string; cert: string }): string {
  const listen = `listen 127.0.0.1:${port}`
  const listens = tls
    ? replaced(withTls, {
        'listen 443': listen,
        '/etc/ssl/ci.example.com.pem': tls.cert,
        '/etc/ssl/ci.example.com.key': tls.key,
      })
    : `${listen};`
  return replaced(whole, {
    '/srv/flightdeck': join(root, 'web/dist'),
    'listen 80;': listens,
    'http://127.0.0.1:8000': server,
  })
}

/** The files of a self-signed certificate. */
function certificate(folder: string): { key: string; cert: string } {
  const { key, cert } = selfSigned()
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  writeFileSync(files.key, key)
  writeFileSync(files.cert, cert)
  return files
}

const mimeTypes = (path: string): string =>
  ['/etc/nginx/mime.types', join(path, '../../../etc/nginx/mime.types')].find((file) => existsSync(file)) ?? ''

export async function startNginx(path: string, folder: string, server: string, { tls = false } = {}) {
  const port = await freePort()
  mkdirSync(folder)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const file = join(folder, 'nginx.conf')
  const main = process.getuid?.() === 0 ? 'user root;' : ''
  const http = `include ${mimeTypes(path)}; access_log off; ${places.join(' ')}\n${configuration(port, server, tls ? certificate(folder) : undefined)}`
  writeFileSync(file, `${main} daemon off; pid ${folder}/pid; error_log stderr;\nevents {}\nhttp { ${http} }\n`)
  const child = spawn(path, ['-p', folder, '-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'exit')
  const origin = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  while (!(await answers())) if (child.exitCode !== null) throw new Error(`nginx ended: ${output}`)
  return {
    origin,
    stop: async (): Promise<void> => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
