// Counts the system calls of a process and its child processes with strace.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { childrenOf } from './process.mjs'

const traced = [
  'execve,fork,vfork,clone,clone3,open,openat,creat,mkdir,mkdirat,mknod,mknodat,symlink,symlinkat,link,linkat',
  'write,pwrite64,writev,pwritev,fsync,fdatasync,sendmsg',
].join(',')

/** Joins the lines of a call that another thread interrupted. */
function* calls(text) {
  const startTimes = new Map()
  for (const line of text.split('\n')) {
    const [, pid, rest] = /^(\d+) +(?:\d+\.\d+ )?(.*)$/.exec(line) ?? []
    if (!rest) continue
    if (rest.endsWith('<unfinished ...>')) startTimes.set(pid, rest.slice(0, -'<unfinished ...>'.length))
    else if (rest.startsWith('<... ')) {
      yield { pid, call: (startTimes.get(pid) ?? '') + rest.slice(rest.indexOf('resumed>') + 'resumed>'.length) }
      startTimes.delete(pid)
    } else yield { pid, call: rest }
  }
}

const succeeded = (call) => / = (?!-1 |\?)/.test(call)
const resultOf = (call) => Number(/ = (\d+)/.exec(call)?.[1] ?? 0)

/**
 * The header of a frame in SQLite's write-ahead log: the second number is not zero in the last
 * frame of a transaction.
 */
const isCommit = (call) =>
  /^pwrite64\(\d+<[^>]*\\x2d\\x77\\x61\\x6c>, "(?:\\x..){4}(?!\\x00\\x00\\x00\\x00)(?:\\x..)+"\.\.\., 24,/.test(call)

/** The calls per item of `count`. The trace is written to `folder`. */
export async function countCalls(pid, folder, count, work) {
  const file = join(folder, 'trace')
  const words = ['-f', '-y', '-xx', '-s', '12', '-e', `trace=${traced}`, '-e', 'signal=none', '-o', file]
  const strace = spawn('strace', [...words, ...[pid, ...childrenOf(pid)].flatMap((each) => ['-p', String(each)])], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await once(strace.stderr, 'data')
  await delay(500)
  await work()
  await delay(500)
  strace.kill('SIGINT')
  await once(strace, 'exit')
  const own = new Set(readdirSync(`/proc/${pid}/task`))
  const found = { programs: 0, forks: 0, files: 0, transactions: 0, bytes: 0, syncs: 0 }
  const names = new Map()
  for (const { pid: by, call } of calls(readFileSync(file, 'utf8'))) {
    if (!succeeded(call)) continue
    const name = call.slice(0, call.indexOf('('))
    if (name === 'execve') {
      found.programs += 1
      const program = basename(plain(/^execve\("([^"]*)"/.exec(call)?.[1] ?? ''))
      names.set(program, (names.get(program) ?? 0) + 1)
    } else if (/^(v?fork|clone3?)$/.test(name)) {
      if (!call.includes('CLONE_THREAD')) found.forks += 1
    } else if (/^(mkdir|mknod|symlink|link)(at)?$/.test(name) || name === 'creat') found.files += 1
    else if (/^open(at)?$/.test(name)) {
      if (call.includes('O_CREAT') && !/= \d+<\\x2f\\x64\\x65\\x76/.test(call)) found.files += 1
    } else if (/^f(data)?sync$/.test(name)) found.syncs += 1
    else if (own.has(by)) {
      found.bytes += resultOf(call) / 1000
      if (isCommit(call)) found.transactions += 1
    }
  }
  const each = Object.fromEntries(Object.entries(found).map(([key, value]) => [key, value / count]))
  const list = [...names].toSorted((a, b) => b[1] - a[1]).map(([name, times]) => `${name} ${times / count}`)
  return { ...each, names: list.join(', ') }
}

const plain = (hex) => hex.replace(/\\x(..)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
