import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'

import { framePlugin } from './frame-plugin.ts'

/** What answers the API during `vite`, `npm start` by default. */
const devServer = process.env.FLIGHTDECK_DEV_SERVER ?? 'http://127.0.0.1:8080'

// The page itself names them: not set means empty.
process.env.VITE_SERVER_URL ??= ''
process.env.VITE_TOKEN ??= ''

/** The first load: the entry, and with it the most visited page. */
const firsts = /\/web\/src\/main\.tsx$/

/**
 * Small modules that both the deferred shell and other pages need: on their own they would load the
 * chunk of those pages.
 */
const sharedByDeferred = /\/(?:api\/src\/build-facts|web\/src\/(?:lib\/approval|features\/feed\/waiting))\.ts$/

/** Whether a module is imported statically, not behind a dynamic import. */
const isOfFirstLoad = (id: string, modules: Rolldown.ChunkingContext): boolean => {
  if (sharedByDeferred.test(id)) return true
  const seen = new Set<string>()
  const upwards = [id]
  for (let next = upwards.pop(); next !== undefined; next = upwards.pop()) {
    if (firsts.test(next)) return true
    if (seen.has(next)) continue
    seen.add(next)
    upwards.push(...(modules.getModuleInfo(next)?.importers ?? []))
  }
  return false
}

/** Modules that pages share. */
const common = /(^|\/)(web\/src\/(ui|browser|lib|api)|api\/src)\//
/** Icons of a single page, which come with its code. */
const iconsOfOnePage = [
  'case-sensitive|regex|whole-word|maximize|pause|play|list-end|maximize-2|minimize-2|square-terminal|wrap-text',
  'file-(?:diff|minus|pen|plus)|arrow-(?:down|up)(?:-to-line)?|circle-(?:play|stop|slash)|minus|rotate-ccw',
  'key-round|log-out|shield-alert|hourglass|copy-check|list-video|git-compare-arrows',
].join('|')
/** All other icons: small, and every page has some. */
const icons = new RegExp(`node_modules/lucide-react/(?!.*/(?:${iconsOfOnePage})\\.)`)
/** Our own code of the first load. */
const own = /(^|\/)(web\/src\/|api\/src\/)/

// Vite demands a default export.
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), framePlugin],
  build: {
    outDir: 'dist',
    target: 'es2022',
    // Tailwind's minimum: older browsers render the pages without colors, so fallbacks for these
    // would never be used.
    cssTarget: ['chrome111', 'firefox128', 'safari16.4'],
    // Fonts and images stay files: inlined they would weigh on every page.
    assetsInlineLimit: 0,
    modulePreload: {
      // The supported browsers have modulepreload; others only load a little later.
      polyfill: false,
      // Modules loaded by the entry are not preloaded again, and the file itself is requested by
      // its import.
      resolveDependencies: (file, all, { hostType }) => {
        if (hostType === 'html') return all
        const others = all.filter((other) => !/^assets\/(vendor|index|rolldown-runtime)-/.test(other))
        return others.some((other) => other !== file) ? others : []
      },
    },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // What changes with the lock file only, so that an update of ours leaves it in the
            // browser's cache.
            {
              name: 'vendor',
              // The bundler's own helpers with it: browsers open six connections at a time, and
              // each file is in the first load.
              test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-)?query(-core)?)\/|^\0(rolldown\/runtime|vite\/preload-helper)/,
            },
            // One request instead of thirty; every page needs most of it.
            {
              name: (id, modules) => (icons.test(id) || isOfFirstLoad(id, modules) ? 'index' : null),
              debugName: 'index',
              test: (id) => own.test(id) || icons.test(id),
            },
            // Users who see one of these pages see the others; and each file name adds to the first
            // load.
            { name: 'welcome', test: /features\/welcome\// },
            { name: 'settings', test: /features\/settings\// },
            { name: 'environments', test: /features\/repository\/environments\/(?!words)/ },
            { name: 'repository', test: /features\/repository\// },
            { name: 'commit', test: /features\/commit\/|lucide-react\/.*\/file-(?:diff|minus|pen|plus)\./ },
            // What the dashboard does without, forms mostly.
            { name: 'forms', test: common, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': devServer, '^/(login|logout)$': devServer } },
})
