// For tests: loaded into a server (`node --import`), it counts each operation that changes a file
// or a database below a folder. At the operation of a given number it ends the process, or lets
// that operation and some more fail. Without its variables it does nothing.
//   WRITE_FAULTS_FOLDER   the data folder
//   WRITE_FAULTS_TRACE    a file that gets a line for each operation; it lies outside the folder
//   WRITE_FAULTS_AT       the number of the operation, from 1; without it all are only counted
//   WRITE_FAULTS_KIND     kill: ends before the operation. tear: writes half of the bytes, then
//                         ends. ENOSPC, EIO, EROFS: fails
//   WRITE_FAULTS_LENGTH   how many operations fail, from 1; SIGUSR2 ends the fault before
// Not counted: what SQLite writes between its statements, what git and the steps write, and
// threads, which only read.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { resolve, sep } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const { WRITE_FAULTS_FOLDER: folder, WRITE_FAULTS_TRACE: traceFile, WRITE_FAULTS_KIND: kind } = process.env
const length = Number(process.env.WRITE_FAULTS_LENGTH ?? 1)
let at = Number(process.env.WRITE_FAULTS_AT ?? Infinity)
let count = 0

const own = { ...fs }
const traceFd = folder && traceFile && isServer() ? own.openSync(traceFile, 'a') : undefined

/** Not its threads, nor the processes that it starts. */
function isServer() {
  return isMainThread && (process.argv[1] ?? '').endsWith('main.js')
}
const trace = (line) => own.writeSync(traceFd, `${line}\n`)
const isInside = (path) => {
  if (typeof path !== 'string' && !(path instanceof URL) && !Buffer.isBuffer(path)) return false
  const full = resolve(String(path))
  return full === folder || full.startsWith(folder + sep)
}
const nameOf = (path) => (resolve(String(path)) === folder ? '.' : resolve(String(path)).slice(folder.length + 1))

/** Counts an operation; answers the code with which it fails. `half` does a part of it. */
function next(what, path, half) {
  count += 1
  const isHit = count >= at && count < at + length
  trace(`${count} ${isHit ? kind : 'done'} ${what} ${nameOf(path)}`)
  if (!isHit) return undefined
  if (kind !== 'kill' && kind !== 'tear') return kind
  if (kind === 'tear') half?.()
  process.kill(process.pid, 'SIGKILL')
  return undefined
}

const texts = { ENOSPC: 'no space left on device', EIO: 'i/o error', EROFS: 'read-only file system' }
const numbers = { ENOSPC: -28, EIO: -5, EROFS: -30 }
const systemError = (code, syscall, path) =>
  Object.assign(new Error(`${code}: ${texts[code]}, ${syscall} '${path}'`), {
    code,
    errno: numbers[code],
    syscall,
    path: String(path),
  })

const isWriting = (flags) =>
  typeof flags === 'number'
    ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
    : typeof flags === 'string' && /[wa+]/.test(flags)

/** Which argument is the path that changes. */
const onPath = {
  writeFile: 0,
  appendFile: 0,
  mkdir: 0,
  mkdtemp: 0,
  rm: 0,
  rmdir: 0,
  unlink: 0,
  chmod: 0,
  chown: 0,
  lchown: 0,
  truncate: 0,
  rename: 1,
  link: 1,
  symlink: 1,
  copyFile: 1,
}
const onFile = ['write', 'writev', 'fsync', 'fdatasync', 'ftruncate', 'fchmod', 'fchown']
const onHandle = ['write', 'writev', 'writeFile', 'appendFile', 'truncate', 'sync', 'datasync', 'chmod', 'chown']

const wrap = (target, name, make) => {
  const original = target[name]
  if (typeof original !== 'function') return
  const wrapped = make(original)
  for (const symbol of Object.getOwnPropertySymbols(original)) wrapped[symbol] = original[symbol]
  target[name] = wrapped
}

/** Half of the bytes of a whole file, or of one write. */
const halfFile = (path, data) => () =>
  own.writeFileSync(path, Buffer.from(data).subarray(0, Math.floor(Buffer.byteLength(data) / 2)))
const halfWrite = (fd, bytes, offset, size, position) => () => {
  if (typeof bytes === 'string') return
  const from = typeof offset === 'number' ? offset : 0
  const all = typeof size === 'number' ? size : bytes.byteLength - from
  own.writeSync(fd, bytes, from, Math.floor(all / 2), typeof position === 'number' ? position : null)
}
const halfOf = (name, args) =>
  name === 'writeFile' && (typeof args[1] === 'string' || ArrayBuffer.isView(args[1]))
    ? halfFile(args[0], args[1])
    : undefined

/** `fs.promises`, and the handles of files. */
async function wrapPromises() {
  const handle = await fs.promises.open('/dev/null')
  const methods = Object.getPrototypeOf(handle)
  await handle.close()
  const paths = new WeakMap()
  for (const [name, which] of Object.entries(onPath)) {
    wrap(fs.promises, name, (original) => async (...args) => {
      const path = args[which]
      const code = isInside(path) && next(name, path, halfOf(name, args))
      if (code) throw systemError(code, name, path)
      return original(...args)
    })
  }
  wrap(fs.promises, 'open', (original) => async (path, flags, ...more) => {
    if (!isInside(path)) return original(path, flags, ...more)
    const code = isWriting(flags) && next('open', path)
    if (code) throw systemError(code, 'open', path)
    const file = await original(path, flags, ...more)
    paths.set(file, path)
    return file
  })
  for (const name of onHandle) {
    wrap(
      methods,
      name,
      (original) =>
        async function (...args) {
          const path = paths.get(this)
          const code = path && next(name, path, name === 'write' ? halfWrite(this.fd, ...args) : undefined)
          if (code) throw systemError(code, name, path)
          return original.apply(this, args)
        },
    )
  }
}

/** Functions that wait, and those with a callback, which streams use. */
function wrapOthers() {
  const paths = new Map()
  const both = (name, check) => {
    wrap(fs, `${name}Sync`, (original) => (...args) => {
      const error = check(args)
      if (error) throw error
      return original(...args)
    })
    wrap(fs, name, (original) => (...args) => {
      const error = check(args)
      if (error) process.nextTick(args.at(-1), error)
      else original(...args)
    })
  }
  for (const [name, which] of Object.entries(onPath)) {
    both(name, (args) => {
      const path = args[which]
      const code = isInside(path) && next(name, path, halfOf(name, args))
      return code && systemError(code, name, path)
    })
  }
  for (const name of onFile) {
    both(name, (args) => {
      const path = paths.get(args[0])
      const code = path && next(name, path, name === 'write' ? halfWrite(...args) : undefined)
      return code && systemError(code, name, path)
    })
  }
  both('open', ([path, flags]) => {
    const code = isInside(path) && isWriting(flags) && next('open', path)
    return code && systemError(code, 'open', path)
  })
  // Which file a number means.
  wrap(fs, 'openSync', (original) => (path, ...more) => {
    const fd = original(path, ...more)
    if (isInside(path)) paths.set(fd, path)
    return fd
  })
  wrap(fs, 'open', (original) => (path, ...more) => {
    const done = more.pop()
    original(path, ...more, (error, fd) => {
      if (!error && isInside(path)) paths.set(fd, path)
      done(error, fd)
    })
  })
  for (const name of ['close', 'closeSync'])
    wrap(fs, name, (original) => (fd, ...more) => {
      paths.delete(fd)
      return original(fd, ...more)
    })
}

const changes =
  /^\s*(begin (immediate|exclusive)|commit|insert|update|delete|replace|create|drop|alter|vacuum|with\b.*\b(insert|update|delete)\b|pragma (wal_checkpoint|incremental_vacuum|journal_mode|user_version =))/is
const isChange = (text) => changes.test(text) && !/\btemp\b/i.test(text)
/** Of SQLite (https://sqlite.org/rescode.html): FULL, IOERR_WRITE, READONLY. */
const results = {
  ENOSPC: [13, 'database or disk is full'],
  EIO: [778, 'disk I/O error'],
  EROFS: [8, 'attempt to write a readonly database'],
}

async function wrapDatabase() {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const { prototype } = DatabaseSync
  const { exec, prepare } = prototype
  const check = (db, text) => {
    const path = db.location()
    if (!path || !isInside(path) || !isChange(text)) return
    const words = text.trim().replaceAll(/\s+/g, ' ').slice(0, 60)
    const code = next(`sql ${JSON.stringify(words)}`, path)
    if (!code) return
    // As SQLite does with some failures; with others the caller has to.
    if (count % 2 === 0 && db.isTransaction) exec.call(db, 'rollback')
    const [errcode, message] = results[code]
    throw Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode, errstr: message })
  }
  // The methods of the class itself cannot be replaced.
  DatabaseSync.prototype = Object.create(prototype, {
    exec: {
      value(text) {
        check(this, text)
        return exec.call(this, text)
      },
    },
    prepare: {
      value(text, ...more) {
        const statement = prepare.call(this, text, ...more)
        if (!isChange(text)) return statement
        for (const name of ['run', 'get', 'all']) {
          const original = statement[name]
          const value = (...values) => {
            check(this, text)
            return original.apply(statement, values)
          }
          Object.defineProperty(statement, name, { value })
        }
        return statement
      },
    },
  })
}

if (traceFd !== undefined) {
  process.on('SIGUSR2', () => {
    at = Infinity
    trace('over')
  })
  await wrapPromises()
  wrapOthers()
  await wrapDatabase()
  syncBuiltinESMExports()
}
