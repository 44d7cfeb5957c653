/**
 * Git LFS for repositories in folders of this machine: downloads of the objects in the repository's
 * folder, by the batch API. A Git host has the objects of its own repositories.
 */
import { plainText } from '../responses.ts'
import type { Call } from '../context.ts'
import { readJson } from '../rpc/bodies.ts'
import type { CloneServer } from '../../interfaces/clone.ts'
import { Refusal } from '../../lib/refusal.ts'
import { webStream } from '../../lib/web-stream.ts'

const maxBytes = 1024 * 1024
/** git-lfs requests 100 at a time. */
const maxObjects = 1000

export interface LfsRequest {
  clones: CloneServer
  /** The folder of the repository, which the caller may read. */
  folder: string
  /** The path of the request after `info/lfs/`. */
  path: string
  publicUrl: string
}

export async function answerLfs(c: Call, { clones, folder, path, publicUrl }: LfsRequest): Promise<Response> {
  const oid = /^objects\/([0-9a-f]{64})$/.exec(path)?.[1]
  if (oid !== undefined && c.req.method === 'GET') {
    const object = await clones.openLfsObject(folder, oid)
    if (!object) return message(404, 'This repository has no such Git LFS object')
    return new Response(webStream(object.content()), {
      headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': String(object.size) },
    })
  }
  if (path !== 'objects/batch' || c.req.method !== 'POST') return plainText('Not Found\n', 404)
  const { operation, objects } = batchOf(await readJson(c, maxBytes, 422))
  if (operation !== 'download')
    return message(501, 'This server does not accept Git LFS uploads: run git lfs push where the repository is')
  const list: unknown[] = []
  for (const { oid: wanted, size } of objects) {
    const object = await clones.openLfsObject(folder, wanted)
    await object?.close()
    const href = `${originOf(c, publicUrl)}${new URL(c.req.url).pathname.replace(/batch$/, wanted)}`
    list.push({
      oid: wanted,
      size: object?.size ?? size,
      ...(object
        ? { actions: { download: { href } } }
        : { error: { code: 404, message: 'The object is not in the folder of this repository' } }),
    })
  }
  return lfsJson({ transfer: 'basic', objects: list })
}

/** A proxy in front of the public URL can have changed the protocol. */
function originOf(c: Call, publicUrl: string): string {
  const { host, origin } = new URL(publicUrl)
  return c.req.header('host') === host ? origin : new URL(c.req.url).origin
}

function batchOf(body: unknown): { operation: unknown; objects: { oid: string; size: number }[] } {
  const { operation, objects } = (body ?? {}) as { operation?: unknown; objects?: unknown }
  if (!Array.isArray(objects) || objects.length > maxObjects)
    throw new Refusal(422, 'The request has no list of objects')
  return {
    operation,
    objects: objects.map((object: unknown) => {
      const { oid, size } = (object ?? {}) as { oid?: unknown; size?: unknown }
      if (typeof oid !== 'string' || !/^[0-9a-f]{64}$/.test(oid)) throw new Refusal(422, 'An object has no SHA-256')
      return { oid, size: Number(size) || 0 }
    }),
  }
}

const lfsJson = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/vnd.git-lfs+json' } })

/** In the form whose message git-lfs prints. */
const message = (status: number, text: string): Response => lfsJson({ message: text }, status)
