/**
 * First segments of paths that the server or the web app handles itself (specification §2, docs/api
 * §2.10).
 */
const reserved = new Set([
  '404',
  'account',
  'api',
  'assets',
  'authorize',
  'badges',
  'builds-feed',
  'debug',
  'favicon.ico',
  'favicon.svg',
  'healthz',
  'hook',
  'index.html',
  'link',
  'login',
  'logout',
  'metrics',
  'readyz',
  'register',
  'robots.txt',
  'rpc',
  'settings',
  'static',
  'varz',
  'version',
  'welcome',
])

/** Names that need no escaping: in paths, in shells, in environment variables. */
const pattern = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/

/** Returns why a repository cannot have this namespace, or `null`. */
export function refuseNamespace(namespace: string): string | null {
  if (reserved.has(namespace.toLowerCase())) {
    return `the namespace "${namespace}" is reserved by Flightdeck: rename the folder`
  }
  return refuseName(namespace)
}

export function refuseName(name: string): string | null {
  if (pattern.test(name)) return null
  if (/^[.-][A-Za-z0-9._-]*$/.test(name)) return `the name "${name}" must start with a letter, a digit or "_"`
  return `the name "${name}" can contain only letters, digits, ".", "_" and "-"`
}
