/**
 * Responses to runners: even JSON is sent as plain text, and every refusal is a text (docs/api
 * §7.1).
 */
import { encode } from '../responses.ts'

const text = (body: string, status: number): Response =>
  new Response(body, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })

export const done = (): Response => new Response(null, { headers: { 'Content-Length': '0' } })
export const value = (what: unknown): Response => text(`${encode(what)}\n`, 200)
export const refusal = (message: string, status: number): Response => text(message, status)
/** No stage yet: the runner pauses and polls again. */
export const nothing = (): Response => new Response(null, { status: 204 })
