/**
 * The built web part: files as they are, and `index.html` for every address that is the browser's
 * to route (docs/api §2.10).
 */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync, type Stats } from 'node:fs'
import { extname, join, normalize, sep } from 'node:path'
import type { Call } from './context.ts'
import { accepts } from './accept.ts'
import { plainText, wrongMethod } from './responses.ts'
import { contentSecurityPolicy } from './security.ts'
import { webStream } from '../lib/web-stream.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json',
}
/** Assets that a page loads. */
const isPart = (path: string): boolean => /\.(js|css|woff2)$/.test(path)
/** Compressed variants that the build writes next to a file, smallest first. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
]

interface Found {
  path: string
  size: number
  etag: string
}

/** `null` also for impossible names: too long, or with a file as a folder. */
function fileAt(path: string): Found | null {
  const facts = statOf(path)
  if (!facts?.isFile()) return null
  return { path, size: facts.size, etag: `"${facts.size.toString(36)}-${Math.trunc(facts.mtimeMs).toString(36)}"` }
}

/**
 * Codes of names that no file can have. Anything else, such as a folder that may not be read, is a
 * failure to be logged.
 */
const nameErrors = new Set(['ENAMETOOLONG', 'ENOTDIR', 'ELOOP', 'ERR_INVALID_ARG_VALUE'])

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (nameErrors.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/**
 * The file's path below the root; `null` for an invalid address, or one with escaped separators: an
 * escaped slash or `..` would select a different file than the address shows.
 */
function pathBelow(root: string, address: string): string | null {
  try {
    const names = address.split('/').map(decodeURIComponent)
    // Nor what the build keeps for itself.
    if (names.some((name) => /[/\\\0]|^\./.test(name))) return null
    const path = normalize(join(root, ...names))
    return path.startsWith(root + sep) ? path : null
  } catch {
    return null
  }
}

/** `person`: the page's user. A cached page of another user does not count as unchanged. */
function send(c: Call, path: string, cacheControl: string, person?: number): Response | null {
  const plain = fileAt(path)
  if (!plain) return null
  const packed = encodings.flatMap(({ name, extension }) => {
    const file = accepts(c, name) ? fileAt(path + extension) : null
    return file ? [{ name, file }] : []
  })[0]
  const file = packed?.file ?? plain
  const etag = etagFor(file.etag, person)
  const headers = new Headers({
    'Content-Type': types[extname(path)] ?? 'application/octet-stream',
    'Cache-Control': cacheControl,
    ETag: etag,
    Vary: 'Accept-Encoding',
    ...whose(person),
  })
  if (c.req.header('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
  headers.set('Content-Length', String(file.size))
  if (packed) headers.set('Content-Encoding', packed.name)
  if (c.req.method === 'HEAD') return new Response(null, { headers })
  return new Response(webStream(createReadStream(file.path)), { headers })
}

const etagFor = (etag: string, person: number | undefined): string =>
  person === undefined ? etag : `${etag.slice(0, -1)}-${person}"`

/** Read by web/src/api/cached-user.ts: of the headers of a document a script sees no other. */
const whose = (person: number | undefined): Record<string, string> =>
  person === undefined ? {} : { 'Server-Timing': `person;desc="${person}"` }

export interface WebPart {
  /** Any address that is not the API's. */
  answer(c: Call): Promise<Response>
  /** The page itself, at any address. */
  page(c: Call): Promise<Response>
  /** For the page that is served now. */
  policy(): string
}

interface Page {
  etag: string
  html: string
  policy: string
}

export interface WebPartOptions {
  /**
   * Inserted before the page's own scripts and not escaped, so it must not contain external input.
   */
  script?: (() => string) | undefined
  /**
   * The id of the user whose session requests the page; the page contains it
   * (docs/decisions/first-frame.md).
   */
  person?: ((c: Call) => Promise<number | undefined>) | undefined
}

export function createWebPart(root: string, { script = () => '', person: find }: WebPartOptions = {}): WebPart {
  const folder = normalize(root)
  const index = join(folder, 'index.html')
  let last: Page | undefined

  function present(): Page | undefined {
    const file = fileAt(index)
    if (!file) return undefined
    const inline = script()
    const etag =
      inline === ''
        ? file.etag
        : `"${createHash('sha256')
            .update(file.etag + inline)
            .digest('base64url')}"`
    if (last?.etag === etag) return last
    const text = readFileSync(index, 'utf8')
    const html = inline === '' ? text : text.replace('<head>', () => `<head><script>${inline}</script>`)
    last = { etag, html, policy: contentSecurityPolicy(html) }
    return last
  }
  const policy = (): string => present()?.policy ?? contentSecurityPolicy('')

  /** The page with the inserted script, which is not a file. */
  function pageWithScript(c: Call, cacheControl: string, person: number | undefined): Response | null {
    const current = present()
    if (!current || script() === '') return null
    const etag = etagFor(current.etag, person)
    const headers = {
      'Content-Type': types['.html'] ?? '',
      'Cache-Control': cacheControl,
      ETag: etag,
      ...whose(person),
    }
    if (c.req.header('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
    return new Response(c.req.method === 'HEAD' ? null : current.html, { headers })
  }
  async function page(c: Call): Promise<Response> {
    const person = await find?.(c)
    const cacheControl = person === undefined ? 'no-cache' : 'private, no-cache'
    return (
      pageWithScript(c, cacheControl, person) ??
      send(c, index, cacheControl, person) ??
      plainText('The front end has not been built; run npm run build\n', 503)
    )
  }

  return {
    policy,
    page,
    async answer(c) {
      if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return wrongMethod()
      const address = new URL(c.req.url).pathname
      const path = pathBelow(folder, address)
      const isAsset = address.startsWith('/assets/')
      const file =
        path === null || path === index
          ? null
          : send(c, path, isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (file && isAsset && isPart(address)) c.set('isPart', true)
      if (file) return file
      return isAsset ? plainText('404 page not found\n', 404) : page(c)
    },
  }
}
