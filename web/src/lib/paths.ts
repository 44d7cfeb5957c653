const join = (...parts: (string | number)[]): string =>
  parts.map((part) => `/${encodeURIComponent(String(part))}`).join('')

/**
 * The URLs of our pages (specification §2). Every part is escaped, so a name can contain a slash or
 * a percent sign.
 */
export const paths = {
  home: '/',
  welcome: '/welcome',
  account: '/account',
  feed: '/builds-feed',
  wall: '/wall',
  settings: '/settings',
  users: '/settings/users',
  runners: '/settings/runners',
  audit: '/settings/audit',
  repo: (namespace: string, name: string): string => join(namespace, name),
  branches: (namespace: string, name: string): string => `${join(namespace, name)}/branches`,
  branch: (namespace: string, name: string, branch: string): string => join(namespace, name, 'branches', branch),
  commit: (namespace: string, name: string, sha: string): string => join(namespace, name, 'commits', sha),
  deployments: (namespace: string, name: string): string => `${join(namespace, name)}/deployments`,
  pulls: (namespace: string, name: string): string => `${join(namespace, name)}/pulls`,
  times: (namespace: string, name: string, branch?: string): string =>
    `${join(namespace, name)}/times${branch === undefined ? '' : `?branch=${encodeURIComponent(branch)}`}`,
  repoSettings: (namespace: string, name: string): string => `${join(namespace, name)}/settings`,
  secrets: (namespace: string, name: string): string => `${join(namespace, name)}/settings/secrets`,
  orgSecrets: (namespace: string, name: string): string => `${join(namespace, name)}/settings/organization`,
  cron: (namespace: string, name: string): string => `${join(namespace, name)}/settings/cron`,
  access: (namespace: string, name: string): string => `${join(namespace, name)}/settings/access`,
  badges: (namespace: string, name: string): string => `${join(namespace, name)}/settings/badges`,
  build: (namespace: string, name: string, number: number, stage?: number, step?: number): string =>
    `${join(namespace, name, number)}${stage === undefined ? '' : `/${stage}`}${step === undefined ? '' : `/${step}`}`,
}
