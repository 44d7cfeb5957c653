import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

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
  },
  server: { proxy: { '/api': process.env.FLIGHTDECK_DEV_SERVER ?? 'http://127.0.0.1:8080' } },
})
