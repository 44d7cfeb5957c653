// Checks which folders import which (architecture.md, "Structure"). The linter only sees an
// import's text; these rules are about its target. Part of `npm run lint`.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib/project.mjs'
import { isTest, sourceFiles } from './lib/sources.mjs'

const importing = /(?:^|[;\s])(?:import|export)\s(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

const webKit = ['api', 'web/api', 'web/browser', 'web/lib', 'web/ui', 'web/styles']

/** The folders, and for each the folders that it can import. A folder can always import itself. */
const rooms = [
  { name: 'api', at: /^api\//, may: [] },
  { name: 'cause', at: /^cause\//, may: [], pure: true },
  { name: 'web/lib', at: /^web\/src\/lib\//, may: ['api'] },
  { name: 'web/browser', at: /^web\/src\/browser\//, may: ['api', 'web/lib'] },
  { name: 'web/api', at: /^web\/src\/api\//, may: ['api', 'web/browser', 'web/lib', 'web/ui'] },
  { name: 'web/ui', at: /^web\/src\/ui\//, may: ['api', 'web/browser', 'web/lib', 'web/styles'] },
  { name: 'web/styles', at: /^web\/src\/styles\//, may: [] },
  { name: 'web/features', at: /^web\/src\/features\//, may: [...webKit, 'cause'] },
  { name: 'web/app', at: /^web\//, may: [...webKit, 'web/features'] },
  { name: 'server/pipeline', at: /^server\/src\/pipeline\//, may: ['api'], pure: true },
  { name: 'server/store', at: /^server\/src\/store\//, may: ['api', 'server/pipeline'] },
  { name: 'server/lib', at: /^server\/src\/lib\//, may: ['api'], files: ['server/src/interfaces/logs.ts'] },
  { name: 'server/machine', at: /^server\/src\/machine\//, may: ['api'] },
  { name: 'server/interfaces', at: /^server\/src\/interfaces\//, may: ['api', 'server/store'] },
  {
    name: 'server/pipeline-files',
    at: /^server\/src\/pipeline-files\//,
    may: ['api', 'cause', 'server/pipeline'],
    files: ['server/src/logs/row-reader.ts'],
  },
  { name: 'server/logs', at: /^server\/src\/logs\//, may: ['api', 'cause', 'server/interfaces', 'server/store'] },
  { name: 'server/people', at: /^server\/src\/people\//, may: ['api', 'server/store'] },
  {
    name: 'server/source',
    at: /^server\/src\/source\//,
    may: ['api', 'server/interfaces', 'server/machine', 'server/pipeline', 'server/store'],
  },
  {
    name: 'server/builds',
    at: /^server\/src\/builds\//,
    may: ['api', 'cause', 'server/interfaces', 'server/pipeline', 'server/pipeline-files', 'server/store'],
  },
  {
    // The manager passes it what it needs to know about a build, as it does for any other runner.
    name: 'server/runner',
    at: /^server\/src\/runner\//,
    may: ['api', 'server/machine', 'server/pipeline', 'server/pipeline-files'],
    files: ['server/src/interfaces/runner.ts', 'server/src/interfaces/origin.ts'],
  },
  { name: 'server/docker', at: /^server\/src\/docker\//, may: [] },
  {
    name: 'server/forge',
    at: /^server\/src\/forge\//,
    may: ['api', 'server/interfaces', 'server/pipeline', 'server/people', 'server/store'],
  },
  {
    name: 'server/operation',
    at: /^server\/src\/operation\//,
    may: ['api', 'server/interfaces', 'server/store'],
  },
  { name: 'server/gateway', at: /^server\/src\/gateway\//, may: ['api'] },
  {
    name: 'server/http',
    at: /^server\/src\/http\//,
    may: ['api', 'server/interfaces', 'server/people', 'server/pipeline', 'server/store'],
  },
  {
    name: 'server',
    at: /^server\//,
    may: [
      'api',
      'server/lib',
      'server/pipeline',
      'server/pipeline-files',
      'server/store',
      'server/machine',
      'server/interfaces',
      'server/logs',
      'server/people',
      'server/source',
      'server/builds',
      'server/runner',
      'server/docker',
      'server/forge',
      'server/operation',
      'server/gateway',
      'server/http',
    ],
  },
]

/** Code that several folders of the server share. */
const isShared = (file) => file.startsWith('server/src/lib/')

/**
 * Code that starts processes can pass on this process's environment (PATH), but must not read
 * settings from it.
 */
const handsOnEnvironment = /^server\/src\/(source\/git|machine|runner\/processes)\//

const roomOf = (file) => rooms.find((room) => room.at.test(file))
const featureOf = (file) => /^web\/src\/features\/([^/]+)\//.exec(file)?.[1]

/**
 * Other folders import a feature through its `index.ts` or the file with its name. `common` has
 * components that several features share.
 */
const isFrontDoor = (file, feature) =>
  feature === 'common' ||
  ['index.ts', `${feature}.ts`, `${feature}.tsx`].some((door) => file === `web/src/features/${feature}/${door}`)

/** The event stream, which other modules use only through its index. */
const isInsideLive = (file) => file.startsWith('web/src/app/live/')

/**
 * The parts of the log. Each can import those before it. Every folder of the log except `testing`
 * is listed.
 */
const logParts = ['engine', 'step', 'source', 'reading', 'baseline', 'causes', 'file-links', 'search', 'window']
const logPartOf = (file) => logParts.indexOf(/^web\/src\/features\/log\/([^/]+)\//.exec(file)?.[1] ?? '')
const isUnlistedPart = (file) => /^web\/src\/features\/log\/(?!testing\/)[^/]+\//.test(file) && logPartOf(file) < 0

/** Packages without dependencies on the page or the server. */
const isPackage = (room) => room.name === 'api' || room.name === 'cause'

/** Folders of the web part with pure functions, which also run in workers. */
const isPure = (file) => /^web\/src\/(lib|features\/[^/]+\/(engine|layout))\//.test(file) && !isTest(file)
const drawing = /^(react|react-dom|@base-ui\/.*|@tanstack\/.*|lucide-react)(\/|$)/
/**
 * Globals that only a page has, or that access the network or storage. The names are distinctive
 * enough to match as text.
 */
const pageOnly =
  /(?<![\w$.#-])(?:document|window|localStorage|sessionStorage|indexedDB|caches|matchMedia|requestAnimationFrame|getComputedStyle|fetch|XMLHttpRequest|EventSource|WebSocket|BroadcastChannel|MutationObserver|ResizeObserver|IntersectionObserver|(?:HTML|SVG)\w*Element)(?![\w$-]|\s*:)/

/** The target of an import: one of our files, or `undefined` for a package or a Node module. */
function target(file, name) {
  if (name.startsWith('.')) return posix.normalize(posix.join(posix.dirname(file), name))
  const own = /^@flightdeck\/(api|cause)(\/|$)/.exec(name)
  if (own) return `${own[1]}/src/index.ts`
  return undefined
}

/** The error for one import, or `undefined`. */
function judge(file, name) {
  const from = roomOf(file)
  if (!from) return undefined
  const to = target(file, name)
  if (!to) {
    if (isPure(file) && drawing.test(name)) return `${posix.dirname(file)} is pure and reaches no ${name}`
    if (from.pure && name.startsWith('node:') && !isTest(file)) return `${from.name} is pure and reaches no ${name}`
    return undefined
  }
  const room = roomOf(to)
  if (!room) return isTest(file) ? undefined : `the product reaches nothing beside it: no ${to}`
  const feature = featureOf(to)
  if (feature && featureOf(file) && feature !== featureOf(file) && !isFrontDoor(to, feature)) {
    return `a feature never imports another feature's inside: ${feature} has an index.ts, or a file of its name`
  }
  if (featureOf(file) === 'common' && feature && feature !== 'common') return 'common components know no feature'
  if (isInsideLive(to) && !isInsideLive(file) && to !== 'web/src/app/live/index.ts') {
    return 'live events have one door: web/src/app/live/index.ts'
  }
  if (isUnlistedPart(file)) return `${posix.dirname(file)} needs a place in logParts (tools/check-imports.mjs)`
  if (logPartOf(file) >= 0 && logPartOf(to) > logPartOf(file) && !isTest(file)) {
    return `the log's ${logParts[logPartOf(file)]} does not know its ${logParts[logPartOf(to)]}`
  }
  // Also within its own feature: screens are in the same feature as `engine` and `layout`.
  if (isPure(file) && !isPure(to) && !isPackage(room)) return `${posix.dirname(file)} is pure and reaches no ${to}`
  if (room === from || from.may.includes(room.name) || isTest(file)) return undefined
  if (from.files?.includes(to)) return undefined
  if (isShared(to) && from.name.startsWith('server/') && !from.pure) return undefined
  return `${from.name} may not import ${room.name}`
}

/** The code without comments and string contents. */
const withoutWords = (text) =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, ' ')

/** The errors for all imports of a file. */
export function faultsOf(file, text) {
  const faults = []
  for (const match of text.matchAll(importing)) {
    const name = match[1] ?? match[2] ?? ''
    const fault = judge(file, name)
    if (fault) faults.push(`${file}: ${fault} (${name})`)
  }
  if (isPure(file)) {
    const [found] = pageOnly.exec(withoutWords(text)) ?? []
    if (found) faults.push(`${file}: ${posix.dirname(file)} is pure and has no ${found}`)
  }
  if (file.startsWith('server/src/') && file !== 'server/src/main.ts' && !isTest(file)) {
    const code = text.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '')
    const reads = handsOnEnvironment.test(file)
      ? /\bprocess\.argv\b|\bprocess\.env\W+FLIGHTDECK_/
      : /\bprocess\.(env|argv)\b/
    if (reads.test(code)) faults.push(`${file}: only main.ts reads process.env and process.argv`)
  }
  return faults
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = sourceFiles()
  const faults = files.flatMap((file) => faultsOf(file, readFileSync(join(root, file), 'utf8')))
  for (const fault of faults) console.log(fault)
  console.log(`${files.length} files, ${faults.length} imports against the rules`)
  if (faults.length > 0) process.exitCode = 1
}
