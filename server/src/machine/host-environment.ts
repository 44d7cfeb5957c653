import { delimiter, dirname } from 'node:path'
import { canEnter, type Account } from './account.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

/**
 * The variables of the server's environment that steps can see (architecture.md "processes"). All
 * others stay private.
 */
const allowed = [
  'PATH',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
]

const standardPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * The allow-listed part of the host's environment; the folder of our own Node is always on the
 * path.
 */
export async function hostEnvironment(
  account: Account | undefined,
  sandbox?: Sandbox,
  host: NodeJS.ProcessEnv = process.env,
): Promise<Record<string, string>> {
  const environment: Record<string, string> = {}
  for (const name of allowed) {
    const value = host[name]
    if (value !== undefined) environment[name] = value
  }
  const folders = new Set((host['PATH'] || standardPath).split(delimiter)).add(dirname(process.execPath))
  const path: string[] = []
  // With an inaccessible folder in the path, a shell reports "permission denied" for every unknown
  // command.
  for (const folder of folders) {
    const isOpen = sandbox ? sandbox.shows(folder, account) : !account || canEnter(folder, account)
    if (await isOpen) path.push(folder)
  }
  environment['PATH'] = path.join(delimiter)
  return environment
}
