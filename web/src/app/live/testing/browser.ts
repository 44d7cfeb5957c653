/** For tests: the parts of a browser that the live connection uses, with fake timers. */
import { vi } from 'vitest'

export class FakeSource extends EventTarget {
  static all: FakeSource[] = []
  static get last(): FakeSource {
    const last = FakeSource.all.at(-1)
    if (!last) throw new Error('nobody connected')
    return last
  }
  closed = false
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    FakeSource.all.push(this)
  }
  close(): void {
    this.closed = true
  }
  says(type: 'open' | 'error' | 'ping'): void {
    this.dispatchEvent(new Event(type))
  }
  sends(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: typeof data === 'string' ? data : JSON.stringify(data) }))
  }
}

/** Tabs of one browser: lock requests are granted in order. */
export const sharedBrowser = () => {
  const queues = new Map<string, Promise<unknown>>()
  const channels = new Set<EventTarget & { name: string }>()
  const locks = {
    request: (name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void> | undefined) => {
      const before = queues.get(name) ?? Promise.resolve()
      const aborted = new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new DOMException('left', 'AbortError'))),
      )
      aborted.catch(() => undefined)
      const lock = before.then(() => (signal.aborted ? undefined : work()))
      queues.set(name, lock)
      return Promise.race([lock, aborted])
    },
  }
  class Channel extends EventTarget {
    readonly name: string
    constructor(name: string) {
      super()
      this.name = name
      channels.add(this)
    }
    postMessage(data: unknown): void {
      for (const other of channels) {
        if (other !== this && other.name === this.name) other.dispatchEvent(new MessageEvent('message', { data }))
      }
    }
    close(): void {
      channels.delete(this)
    }
  }
  return { locks, Channel, channels }
}

/** A page with nothing shared between tabs, as on plain http. */
export const stubPage = () => {
  FakeSource.all = []
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const window = new EventTarget()
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 16))
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window))
  return {
    show: (visibilityState: 'visible' | 'hidden') => {
      page.visibilityState = visibilityState
      page.dispatchEvent(new Event('visibilitychange'))
    },
    goOnline: () => window.dispatchEvent(new Event('online')),
  }
}
