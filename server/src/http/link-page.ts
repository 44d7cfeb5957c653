/** The HTML page that browsers get instead of a JSON error. */
import type { Call } from './context.ts'
import { escape, htmlPage } from './html.ts'

/** Browsers get refusals as a page, too. */
export const wantsPage = (c: Call): boolean =>
  /^\/(link\/|login$|login\/token$|logout$)/.test(c.req.path) && /\btext\/html\b/.test(c.req.header('accept') ?? '')

/** `path`: what was asked for, which may be answered later. */
export function refusalPage(message: string, status: number, path: string): Response {
  const retry = `<p><a href="${escape(path)}">Retry</a></p>`
  const hints: Record<number, string> = {
    502: retry,
    503: retry,
    504: retry,
    401: '<p><a href="/login/form">Sign in</a> to see it (if you have access).</p>',
    429: '<p><a href="/login/form">Back to the form</a></p>',
  }
  const hint = hints[status] ?? ''
  return htmlPage(message, `<h1>${escape(message)}</h1>${hint}<p><a href="/">Go to the dashboard</a></p>`, status)
}
