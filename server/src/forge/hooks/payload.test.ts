/** Webhook bodies before their sender is verified. */
import { describe, expect, it } from 'vitest'
import { countLoopTurns } from '../../testing/event-loop-during.ts'
import { readPayload } from './payload.ts'

const form = 'application/x-www-form-urlencoded'
const bytes = (text: string) => new TextEncoder().encode(text)
const read = async (type: string, text: string) => new TextDecoder().decode(await readPayload(type, bytes(text)))
const refused = { status: 413 }

describe('the payload of a webhook', () => {
  it.each(['a b', 'ä+%', '"\\u0000"', '%7B', '100%'])('that holds %j is the same as a form', async (text) => {
    const json = JSON.stringify({ text })
    expect(await read('application/json', json)).toBe(json)
    expect(await read(form, `x=1&payload=${encodeURIComponent(json)}&payload=2`)).toBe(json)
    expect(await read(form, new URLSearchParams({ payload: json }).toString())).toBe(json)
  })

  it('that is encoded badly is what browsers make of it', async () => {
    for (const text of ['%', '%4', '%zz', '%4g', '+%2B', '%C3%A4', 'a=b'])
      expect(await read(form, `payload=${text}`)).toBe(new URLSearchParams(`payload=${text}`).get('payload'))
  })

  it.each([
    ['lists', `[${'[],'.repeat(1_000_000)}0]`],
    ['levels', '['.repeat(3_000_000)],
    ['keys', `{${Array.from({ length: 200_000 }, (_, index) => `"x${index}":0`).join()}}`],
  ])('of very many %s is refused, sent as it is or as a form', async (_, json) => {
    await expect(readPayload('application/json', bytes(json))).rejects.toMatchObject(refused)
    await expect(readPayload(form, bytes(`payload=${json}`))).rejects.toMatchObject(refused)
  })

  it('has a limit of 60,000 values', async () => {
    const list = (count: number) => `[${Array.from({ length: count }, () => '0').join()}]`
    expect(await read('', list(60_000))).toHaveLength(120_001)
    await expect(read('', list(60_001))).rejects.toMatchObject(refused)
  })

  it('has a limit of 1,000 fields', async () => {
    expect(await read(form, `${'a&'.repeat(999)}payload=1`)).toBe('1')
    await expect(read(form, `${'a&'.repeat(1_000)}payload=1`)).rejects.toMatchObject(refused)
  })

  it('is decoded in parts', async () => {
    const body = bytes(`payload=%22${'%41'.repeat(1_000_000)}%22`)
    let payload: Uint8Array | undefined
    expect(await countLoopTurns(async () => (payload = await readPayload(form, body)))).toBeGreaterThan(0)
    expect(payload).toHaveLength(1_000_002)
  })
})
