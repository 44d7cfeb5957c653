/** The bodies of answers (docs/api §0). */
import type { Build, Commit, CommitFile, Comparison } from '@flightdeck/api'
import { serializeBuild, serializeList } from '../lib/serialize-json.ts'

const escapes: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/**
 * Compact, with `<`, `>`, `&` and the two line separators escaped, as Go's encoder writes it. No
 * newline at the end.
 */
export const encode = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (character) => escapes[character] ?? character)

export const json = (value: unknown, status = 200): Response =>
  new Response(`${encode(value)}\n`, { status, headers: { 'Content-Type': 'application/json' } })

/** What is encoded already. */
export const encodedJson = (content: string): Response =>
  new Response(`${content}\n`, { headers: { 'Content-Type': 'application/json' } })

/** A list of any length. */
export const jsonList = async (items: readonly unknown[]): Promise<Response> =>
  encodedJson(await serializeList(items, encode))

/** With its stages and steps, which may be thousands. */
export const jsonBuild = async (build: Build): Promise<Response> => encodedJson(await serializeBuild(build, encode))

/** With a megabyte of lines, in which each character may have to be escaped. */
export const jsonCommit = (commit: Commit): Promise<Response> => jsonFiles(commit)
export const jsonComparison = ({ files = [], ...rest }: Comparison): Promise<Response> => jsonFiles({ ...rest, files })

const jsonFiles = async ({ files, ...rest }: { files: readonly CommitFile[] }): Promise<Response> =>
  encodedJson(`${encode(rest).slice(0, -1)},"files":${await serializeList(files, encode, weightOf)}}`)
const weightOf = ({ hunks = [] }: CommitFile): number => hunks.reduce((sum, { lines }) => sum + lines.length, 1)

/** Done, and nothing to say. */
export const noContent = (): Response => new Response(null, { status: 204 })

export const plainText = (text: string, status = 200): Response =>
  new Response(text, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
  })

/** An address below `/api` that nothing serves. */
export const unknownPath = (): Response => plainText('404 page not found\n', 404)
/** An address that exists, but not for this method. */
export const wrongMethod = (): Response => new Response(null, { status: 405 })

export const redirect = (location: string): Response =>
  new Response(null, { status: 303, headers: { Location: location } })
