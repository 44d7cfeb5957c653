import { withoutOverrides } from '../lib/direction-overrides.ts'

/** Small pages of the server's own, without scripts: everything that is put in is escaped. */
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

/**
 * Escapes text for elements and quoted attributes. Control characters and bidirectional overrides
 * become replacement characters, so that input cannot disguise the page's text.
 */
export const escape = (text: string): string =>
  withoutOverrides(text)
    .replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)

/** `body` is HTML. The style sheet is a separate file, since the policy allows nothing inline. */
export const htmlPage = (title: string, body: string, status = 200): Response =>
  new Response(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="stylesheet" href="/link/style.css">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`,
    { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } },
  )

/** Browsers ask for it. */
export const pageStyleAnswer = (): Response =>
  new Response(pageStyle, { headers: { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' } })

/** Colours follow the system. */
const pageStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { font-size: 1.375rem; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; margin-top: 2rem; }
pre, code, td { font-family: ui-monospace, monospace; font-size: 0.875rem; overflow-wrap: anywhere; white-space: pre-wrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 1rem 0; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; }
td { padding: 0.125rem 1rem 0.125rem 0; vertical-align: top; }
`
