/**
 * In front of a simulated Drone: its responses are passed on unchanged, and changes that it does
 * not report are found.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DroneStand, standToken } from '../testing/drone-stand.ts'
import { runBehindGateway } from '../testing/gateway-stand.ts'

const stand = runBehindGateway()
const { request } = stand

let drone: DroneStand
beforeEach(async () => {
  drone = await new DroneStand().listen()
  await stand.startInFrontOf(drone.origin)
})
afterEach(() => drone.close())

const headers = { Authorization: `Bearer ${standToken}` }
const form = (username: string, password: string) =>
  request('/login', {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
    headers: { Origin: stand.publicUrl() },
  })

describe('answers of its own kind', () => {
  it('sign-in opens /register, which is our page, with the session', async () => {
    const response = await form('boss', 'correct horse')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/register'])
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toContain('_session_=')
    expect(await (await request('/register')).text()).toContain('our page')
    const [pair = ''] = cookie.split(';')
    expect(await (await request('/api/user', { headers: { Cookie: pair } })).json()).toMatchObject({ login: 'boss' })
  })

  it('a refusal with spaces in its address opens our page of it', async () => {
    const location = (await form('boss', 'wrong')).headers.get('location') ?? ''
    const { pathname, searchParams } = new URL(location, stand.publicUrl())
    expect([pathname, searchParams.get('message')]).toEqual(['/login/error', 'Account is not active'])
  })

  it('plain texts stay what they are', async () => {
    const text = async (path: string) => {
      const response = await request(path, { headers })
      return [response.status, response.headers.get('content-type'), await response.text()]
    }
    const plain = 'text/plain; charset=utf-8'
    expect(await text('/api/runners')).toEqual([404, plain, '404 page not found\n'])
    expect(await text('/metrics')).toEqual([401, plain, 'Invalid or missing prometheus token\n'])
  })

  it('signing out ends the session with its words, and shows our page', async () => {
    const response = await request('/logout', { method: 'POST', headers: { Origin: stand.publicUrl() } })
    expect(response.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^_session_=deleted; Path=\/; Max-Age=0/),
    )
    expect(await response.text()).toContain('our page')
  })
})

describe('what it does not report', () => {
  async function events() {
    const gone = new AbortController()
    const response = await request('/api/stream', { headers, signal: gone.signal })
    const received: string[] = []
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader() ?? expect.fail('no body')
    const read = async () => {
      for (let text = ''; ;) {
        const { value, done } = await reader.read()
        if (done) return
        text += value
        const frames = text.split('\n\n')
        text = frames.pop() ?? ''
        for (const frame of frames) {
          if (!frame.startsWith('data: ')) continue
          const { slug, build } = JSON.parse(frame.slice(6)) as {
            slug: string
            build: { number: number; status: string }
          }
          received.push(`${slug} ${build.number} ${build.status}`)
        }
      }
    }
    read().catch(() => {})
    return { received, leave: () => gone.abort() }
  }

  it.each([
    ['a cancel', () => void drone.cancel(), 'acme/web 35 killed'],
    ['a new build', () => void drone.create(), 'acme/web 36 pending'],
    [
      'an end whose event was dropped',
      () => {
        drone.dropsEvents = true
        drone.finish()
      },
      'acme/web 35 success',
    ],
  ])('%s reaches who looks', async (_what, happens, event) => {
    const { received, leave } = await events()
    await expect.poll(() => received).toContain('acme/web 35 running')
    happens()
    await expect.poll(() => received).toContain(event)
    leave()
  })

  it('an approval by another person reaches open pages of the build', async () => {
    const { received, leave } = await events()
    await request('/api/repos/acme/gated/builds/1', { headers })
    await expect.poll(() => received).toContain('acme/gated 1 pending')
    drone.approve()
    await expect.poll(() => received).toContain('acme/gated 1 running')
    leave()
  })
})
