import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { compile, optimize } from '@tailwindcss/node'
import type { Plugin, Rolldown } from 'vite'

const styles = join(import.meta.dirname, 'src/styles')

/**
 * What the frame needs of preflight and base.css; how it moves comes with the style sheet. The
 * order of layers is the whole style sheet's, which comes later.
 */
const base = `
@layer properties, theme, base, components, utilities;
@layer base {
  :where(.frame, .frame *) { box-sizing: border-box; border: 0 solid }
  :where(.frame i) { display: block; border-radius: 6px; background: var(--raised) }
  :where([data-late] .frame i) { animation: pulse 2s cubic-bezier(0.4, 0, 0.6, 1) infinite }
  :where(body) { margin: 0; font: var(--text-base)/var(--text-base--line-height) var(--font-sans) }
  :where(.frame ul) { margin: 0; padding: 0; list-style: none }
  :where(.frame a) { color: inherit; text-decoration: none }
  html { background: var(--canvas); color: var(--ink); overflow-y: scroll }
}
.frame .word:not(:empty) { width: auto; height: auto; background: none; animation: none; font-style: normal; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.frame span > .word:not(:empty) + .word { margin-top: -6px }
.frame a > .word:not(:empty) + i:not(.word) { height: 20px }
`

/**
 * The few styles that the frame in index.html is made of, from the same tokens and utilities as
 * those of the pages.
 */
async function styleOf(html: string): Promise<string> {
  const classes = [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/))
  const tokens = readFileSync(join(styles, 'theme.css'), 'utf8').replace(
    "@import 'tailwindcss';",
    "@import 'tailwindcss/theme' layer(theme); @import 'tailwindcss/utilities' layer(utilities);",
  )
  const compiler = await compile(base + tokens, { base: styles, onDependency: () => undefined })
  const { code } = optimize(compiler.build([...new Set(classes)]), { minify: true })
  return withoutUnused(code.replace(/\/\*!.*?\*\//s, '').trim())
}

/** Without the tokens and movements that nothing in the frame refers to. */
function withoutUnused(css: string): string {
  const used = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))
  const moves = new Set([...css.matchAll(/animation:([\w-]+)/g)].map(([, name]) => name))
  return css
    .replaceAll(/(--[\w-]+):[^;{}]*(;|(?=}))/g, (text, name: string) => (used.has(name) ? text : ''))
    .replaceAll(/@keyframes ([\w-]+)\{[^{}]*\{[^{}]*\}\}/g, (text, name: string) => (moves.has(name) ? text : ''))
    .replaceAll(/[^{};]+\{\}/g, '')
    .replaceAll(/@supports \([^{}]*\)\{\}/g, '')
}

/**
 * Pages whose code is fetched in parallel with the entry, by the name of their frame (index.html).
 * The dashboard is part of the entry.
 */
const pages: Readonly<Record<string, readonly string[]>> = {
  builds: ['repository/layout.tsx', 'repository/builds-page.tsx'],
  build: ['build-page/build-page.tsx'],
}

/**
 * The files of some chunks and of what these import, without those that the entry needs in any
 * case.
 */
function filesOf(chunks: readonly Rolldown.OutputChunk[], modules: readonly string[]): string[] {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const gather = (from: readonly Rolldown.OutputChunk[]): Set<string> => {
    const files = new Set<string>()
    const waiting = [...from]
    for (let chunk = waiting.pop(); chunk; chunk = waiting.pop()) {
      if (files.has(chunk.fileName)) continue
      files.add(chunk.fileName)
      for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
      waiting.push(...chunk.imports.flatMap((file) => byFile.get(file) ?? []))
    }
    return files
  }
  const known = gather(chunks.filter((chunk) => chunk.isEntry))
  // By what is in it: a chunk of several pages is none's facade.
  const holds = (chunk: Rolldown.OutputChunk, module: string): boolean =>
    chunk.moduleIds.some((id) => id.endsWith(`/${module}`))
  const needed = chunks.filter((chunk) => modules.some((module) => holds(chunk, module)))
  return [...gather(needed)].filter((file) => !known.has(file))
}

/** The build page's log worker, whose file is not imported by any module. */
const logWorker = /^assets\/worker-[\w-]+\.js$/

/** The faces that hold the letters of nearly every page. */
const face = /-ascii-[\w-]+\.woff2$/

/**
 * The rule of the face that names and titles are written in, taken out of the style sheet: the
 * frame writes before that is here.
 */
function takeFace(bundle: Rolldown.OutputBundle): string {
  const rule = /@font-face\{[^}]*\/inter-ascii-[^}]*\}/
  for (const file of Object.values(bundle)) {
    if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
    const source = String(file.source)
    const [found] = rule.exec(source) ?? []
    if (found === undefined) continue
    file.source = source.replace(rule, '')
    return found
  }
  throw new Error('No style sheet has the face of names and titles')
}

const nameOf = (file: string): string => file.replace(/^assets\//, '')

/**
 * Lets index.html show its frame with the first bytes: the frame's style is inlined (servers allow
 * it by hash), the style sheet moves below the frame, so that it blocks the scripts but not the
 * frame, and the inline script gets the code that each kind of URL needs. The content between
 * `<!-- 6 times -->` and `<!-- end -->` is repeated six times.
 */
export const framePlugin: Plugin = {
  name: 'flightdeck-frame',
  transformIndexHtml: {
    order: 'post',
    async handler(html, { bundle }) {
      const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk')
      const workers = Object.keys(bundle ?? {}).filter((file) => logWorker.test(file))
      const code = Object.entries(pages).map(([name, modules]) => [
        name,
        [...filesOf(chunks, modules), ...(name === 'build' ? workers : [])].map(nameOf).join(' '),
      ])
      const faces = Object.keys(bundle ?? {}).filter((file) => face.test(file))
      const style = (bundle ? takeFace(bundle) : '') + (await styleOf(html))
      const sheet = /\s*<link rel="stylesheet"[^>]*>/.exec(html)?.[0] ?? ''
      return html
        .replaceAll(/<!-- (\d+) times -->(.*?)<!-- end -->/gs, (_, times: string, part: string) =>
          part.repeat(Number(times)),
        )
        .replaceAll(/<!--.*?-->/gs, '')
        .replaceAll(/^\s*\/\/.*$\n/gm, '')
        .replace(sheet, '')
        .replace('<script>', () => `<style>${style}</style><script>`)
        .replace('<noscript>', () => `${sheet.trim()}<noscript>`)
        .replace("'%CODE%'", () => JSON.stringify(Object.fromEntries(code)))
        .replace("'%FACES%'", () => JSON.stringify(faces.map(nameOf)))
        .replaceAll(/>\s+</g, '><')
        .replaceAll(/\n\s+/g, '\n')
    },
  },
}
