/**
 * Firefox with WebDriver BiDi and WebKitGTK with WebDriver, as packaged by Debian (`firefox-esr`,
 * `webkit2gtk-driver` with `xvfb`). Playwright only drives its own builds. Each browser has an
 * empty profile and ends with its test.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { WebSocket } from 'ws'

export interface Visitor {
  goto(url: string): Promise<void>
  /** The value of an expression in the page, which must be serializable as JSON. */
  read(expression: string): Promise<unknown>
  /** Types into the focused element. */
  type(text: string): Promise<void>
  close(): Promise<void>
}

export interface OtherBrowser {
  name: string
  /** Why it cannot be tested here; `null` if it can. */
  missing: string | null
  open(profile: string): Promise<Visitor>
}

const firefoxPath = '/usr/bin/firefox-esr'
const webKitPath = '/usr/bin/WebKitWebDriver'
const displayPath = '/usr/bin/Xvfb'
const pageSize = { width: 1280, height: 900 }

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

/** The first response of a server that is still starting. */
async function waitUntilReady<T>(child: ChildProcess, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the browser ended with ${child.exitCode}`)
    try {
      return await ask()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** Sends commands of WebDriver BiDi (https://w3c.github.io/webdriver-bidi/) over a socket. */
async function connect(url: string) {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  let last = 0
  socket.on('message', (data: Buffer) => {
    const answer = JSON.parse(data.toString()) as { id?: number; type: string; result?: unknown; message?: string }
    const pending = waiting.get(answer.id ?? 0)
    waiting.delete(answer.id ?? 0)
    if (answer.type === 'error') pending?.reject(new Error(answer.message))
    else pending?.resolve(answer.result)
  })
  return {
    send<T>(method: string, params: object): Promise<T> {
      last += 1
      const id = last
      return new Promise<T>((resolve, reject) => {
        waiting.set(id, { resolve: (result) => resolve(result as T), reject })
        socket.send(JSON.stringify({ id, method, params }))
      })
    },
    close: () => socket.terminate(),
  }
}

async function openFirefox(profile: string): Promise<Visitor> {
  const port = await freePort()
  const child = spawn(
    firefoxPath,
    [
      '--headless',
      '--no-remote',
      '--profile',
      profile,
      `--remote-debugging-port=${port}`,
      '--width=1280',
      '--height=900',
    ],
    { stdio: 'ignore', env: { ...process.env, HOME: profile } },
  )
  const bidi = await waitUntilReady(child, () => connect(`ws://127.0.0.1:${port}/session`))
  await bidi.send('session.new', { capabilities: {} })
  const { contexts } = await bidi.send<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
  const context = contexts[0]?.context
  await bidi.send('browsingContext.setViewport', { context, viewport: pageSize })
  return {
    async goto(url) {
      await bidi.send('browsingContext.navigate', { context, url, wait: 'interactive' })
    },
    async read(expression) {
      const { result } = await bidi.send<{ result: { value?: string } }>('script.evaluate', {
        expression: `JSON.stringify(${expression})`,
        target: { context },
        awaitPromise: true,
      })
      return result.value === undefined ? undefined : (JSON.parse(result.value) as unknown)
    },
    async type(text) {
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await bidi.send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] })
    },
    async close() {
      bidi.close()
      await end(child)
    },
  }
}

/** WebKitGTK needs a display. This one is virtual, with a free number. */
async function openDisplay(): Promise<{ name: string; child: ChildProcess }> {
  const child = spawn(displayPath, ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = (await once(child.stdout, 'data')) as [Buffer]
  return { name: `:${String(number).trim()}`, child }
}

async function openWebKit(profile: string): Promise<Visitor> {
  const port = await freePort()
  const display = await openDisplay()
  const child = spawn(webKitPath, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      HOME: profile,
      XDG_DATA_HOME: profile,
      XDG_CACHE_HOME: profile,
      DISPLAY: display.name,
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  })
  async function send<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    const { value } = (await answer.json()) as { value: T & { message?: string } }
    if (!answer.ok) throw new Error(value.message)
    return value
  }
  await waitUntilReady(child, () => send('GET', '/status'))
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: {} },
  })
  const session = `/session/${sessionId}`
  await send('POST', `${session}/window/rect`, pageSize)
  return {
    async goto(url) {
      await send('POST', `${session}/url`, { url })
    },
    async read(expression) {
      const text = await send<string | null>('POST', `${session}/execute/sync`, {
        script: `return JSON.stringify(${expression})`,
        args: [],
      })
      return text === null ? undefined : (JSON.parse(text) as unknown)
    },
    async type(text) {
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await send('POST', `${session}/actions`, { actions: [{ type: 'key', id: 'keys', actions }] })
    },
    async close() {
      await send('DELETE', session)
      await end(child)
      await end(display.child)
    },
  }
}

const missingOf = (packages: Record<string, string>): string | null => {
  const names = Object.entries(packages).flatMap(([name, path]) => (existsSync(path) ? [] : [name]))
  return names.length === 0 ? null : `Not installed here: the Debian packages ${names.join(' and ')}`
}

export const firefox: OtherBrowser = {
  name: 'Firefox',
  missing: missingOf({ 'firefox-esr': firefoxPath }),
  open: openFirefox,
}

export const webKit: OtherBrowser = {
  name: 'WebKitGTK',
  missing: missingOf({ 'webkit2gtk-driver': webKitPath, xvfb: displayPath }),
  open: openWebKit,
}
