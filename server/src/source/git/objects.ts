import { gitError } from './git-errors.ts'
import { largeLimits, startGit, type GitLimits } from './run-git.ts'

export interface GitObject {
  id: string
  type: string
  bytes: Buffer
}

/**
 * Reads objects of one repository from one git process, which starts when it is first needed. One
 * request at a time.
 */
export interface GitObjects {
  /**
   * Returns `null` if the object cannot be read this way; callers then use another one. Throws if
   * that would cost as much again: calls that time out, and commits and tags that are too large.
   * `name` is any object name that git accepts.
   */
  read(name: string): Promise<GitObject | null>
  /** Ends the process; the next request starts another. */
  end(): void
}

/** Larger objects are not read whole. No pipeline file and no message is larger. */
const maxBytes = 2 * 1024 * 1024

const peelSuffix = '^{commit}'
/** The maximum depth of tags that point to tags. */
const maxTags = 10

export interface ObjectsOptions {
  /** Apply to each call; the process itself keeps running. */
  limits: GitLimits
}

export function openObjects(
  folder: () => Promise<string>,
  environment: Record<string, string>,
  { limits }: ObjectsOptions,
): GitObjects {
  let source: Awaited<ReturnType<typeof start>> | undefined

  async function start() {
    const child = startGit(await folder(), ['cat-file', '--batch'], environment, {
      ...limits,
      timeoutMs: largeLimits.timeoutMs,
    })
    // An error ends the output. The caller learns the reason by running a plain git command.
    child.on('error', () => {})
    child.stdin.on('error', () => {})
    child.stderr.resume()
    const chunks: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]()
    let buffered = Buffer.alloc(0)
    const more = async () => {
      const { done, value } = await chunks.next()
      if (done) throw new Error('git has ended')
      buffered = Buffer.concat([buffered, value])
    }
    const take = (size: number): Buffer => {
      const taken = buffered.subarray(0, size)
      buffered = buffered.subarray(size)
      return taken
    }
    return {
      child,
      async line(): Promise<string> {
        let end = buffered.indexOf('\n')
        for (; end === -1; end = buffered.indexOf('\n')) await more()
        return take(end + 1).toString('utf8', 0, end)
      },
      async bytes(size: number): Promise<Buffer> {
        while (buffered.length < size) await more()
        return take(size)
      },
    }
  }

  /** The process reads no more requests, and ends. */
  function end(): void {
    source?.child.stdin.end()
    source = undefined
  }

  async function request(name: string): Promise<GitObject | null> {
    let reason: string | undefined
    let timer: NodeJS.Timeout | undefined
    try {
      const git = (source ??= await start())
      timer = setTimeout(() => {
        reason = 'it took too long'
        git.child.kill('SIGKILL')
      }, limits.timeoutMs)
      git.child.stdin.write(`${name}\n`)
      const [, id, type, size] = /^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/.exec(await git.line()) ?? []
      if (id === undefined || type === undefined) return null
      if (Number(size) > maxBytes) {
        if (type === 'commit' || type === 'tag') reason = `a ${type} is larger than ${maxBytes / 1024 / 1024} MB`
        throw new Error('too large')
      }
      const content = await git.bytes(Number(size) + 1)
      return { id, type, bytes: content.subarray(0, -1) }
    } catch {
      // The process may be in the middle of a long response.
      source?.child.kill('SIGKILL')
      end()
      if (reason !== undefined) throw gitError(`git cannot read the repository: ${reason}`)
      return null
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    end,
    async read(name) {
      // Each line is one request.
      if (name.includes('\n')) return null
      if (!name.endsWith(peelSuffix)) return request(name)
      // git would read the whole object before it reports its size, so tags are followed here.
      let found = await request(name.slice(0, -peelSuffix.length))
      for (let count = 0; found?.type === 'tag' && count < maxTags; count += 1) {
        const [, target] = /^object ([0-9a-f]{40,64})\n/.exec(found.bytes.toString('latin1', 0, 80)) ?? []
        found = target === undefined ? null : await request(target)
      }
      return found
    },
  }
}
