import type { Plugin } from 'vite'

const hint = '//# allFunctionsCalledOnLoad'
const hinted = new Set(['vendor', 'index', 'build-page', 'events', 'forms', 'dialogs'])

/**
 * Of what the first visit runs nearly every function is called, so that looking through it for those that are not, and
 * compiling them one by one on the page's own thread, is work twice done. Chromium reads this line and compiles the whole file
 * on another thread while it comes (docs/decisions/first-frame.md). It has to be the first one, before what Vite adds at the end.
 */
export const compileHintPlugin: Plugin = {
  name: 'flightdeck-compile-hint',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && hinted.has(file.name)) file.code = `${hint}\n${file.code}`
    },
  },
}
