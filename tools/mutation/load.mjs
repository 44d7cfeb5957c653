// Loads TypeScript, and reloads modules that register tests: files with `?run=…`, and test helpers
// that they import.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'

/**
 * The server's shared test setup registers no tests, and takes longer to load than most of them.
 */
const isHelper = (url) =>
  /\/(?:test-|testing\/)[^?]*$/.test(url) && !/\/server\/src\/testing\/(?!gateway-stand)/.test(url)

export async function resolve(specifier, context, next) {
  const result = await next(specifier, context)
  const run = /\?run=\d+$/.exec(context.parentURL ?? '')?.[0]
  return run && isHelper(result.url) ? { ...result, url: result.url + run } : result
}

const made = new Map()

export async function load(url, context, next) {
  const file = url.replace(/\?run=\d+$/, '')
  if (!/\.tsx?$/.test(file)) return next(url, context)
  if (!made.has(file)) {
    const path = fileURLToPath(file)
    const { code, errors } = transformSync(path, await readFile(path, 'utf8'), { sourcemap: false })
    if (errors?.length > 0) throw new Error(`${path}: ${errors[0].message}`)
    // A feature of Vite; tests do not set any of it.
    made.set(file, code.includes('import.meta.env') ? `import.meta.env = {};${code}` : code)
  }
  return { format: 'module', source: made.get(file), shortCircuit: true }
}
