import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** What answers the API during `vite`, `npm start` by default. */
const devServer = process.env.FLIGHTDECK_DEV_SERVER ?? 'http://127.0.0.1:8080'

// The page itself names them: not set means empty.
process.env.VITE_SERVER_URL ??= ''
process.env.VITE_TOKEN ??= ''

// Vite demands a default export.
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    target: 'es2022',
    // Fonts and images stay files: inlined they would weigh on every page.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What changes with the lock file only, so that an update of ours leaves it in the browser's cache.
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-)?(router|query|store|history))/,
            },
            // The kit is small and every page needs most of it: one request in place of thirty.
            { name: 'kit', test: /web\/src\/(ui|lib|api)\/(?!ansi|log)/, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': devServer, '^/(login|logout)$': devServer } },
})
