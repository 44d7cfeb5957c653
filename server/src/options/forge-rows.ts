/** The settings of the forge, for the table of all settings. */
const titles = { gitea: 'Gitea', forgejo: 'Forgejo', gogs: 'Gogs', github: 'GitHub', gitlab: 'GitLab' } as const

type OAuthKind = 'gitea' | 'forgejo' | 'github' | 'gitlab'

const upper = (kind: string): string => `FLIGHTDECK_${kind.toUpperCase()}`

/** `home`: the public service, where that is what most people mean. */
const address = <const K extends keyof typeof titles>(kind: K, home?: string) => ({
  flag: `--${kind}` as const,
  value: home === undefined ? 'URL' : '[URL]',
  ...(home !== undefined && { optional: true as const }),
  environment: upper(kind),
  shownDefault: 'none',
  about: `take repositories and people from this ${titles[kind]}${home === undefined ? '' : `; without an address from ${home}`}`,
})

const application = <const K extends OAuthKind>(kind: K) =>
  [
    {
      flag: `${kind}-client-id`,
      value: '',
      environment: `${upper(kind)}_CLIENT_ID`,
      shownDefault: 'none',
      about: `client id of the OAuth application at ${titles[kind]}, whose redirect address is PUBLIC-URL/login`,
    },
    {
      flag: `${kind}-client-secret`,
      value: '',
      environment: `${upper(kind)}_CLIENT_SECRET`,
      shownDefault: 'none',
      about: 'its secret; only from the environment',
    },
    {
      flag: `--${kind}-client-secret-file`,
      value: 'FILE',
      environment: `${upper(kind)}_CLIENT_SECRET_FILE`,
      shownDefault: 'none',
      about: 'file with that secret',
    },
  ] as const

export const forgeRows = [
  address('gitea'),
  ...application('gitea'),
  address('forgejo'),
  ...application('forgejo'),
  address('gogs'),
  address('github', 'github.com'),
  ...application('github'),
  address('gitlab', 'gitlab.com'),
  ...application('gitlab'),
  {
    flag: '--forge-api-url',
    value: 'URL',
    environment: 'FLIGHTDECK_FORGE_API_URL',
    shownDefault: 'the address of the forge',
    about: 'address by which this server reaches the forge, if it is another one than that for people and runners',
  },
  {
    flag: '--forge-hook-url',
    value: 'URL',
    environment: 'FLIGHTDECK_FORGE_HOOK_URL',
    shownDefault: 'the public address',
    about: 'address by which the forge reaches this server, for its webhooks',
  },
  {
    flag: '--forge-access',
    value: 'everybody|members|invited',
    environment: 'FLIGHTDECK_FORGE_ACCESS',
    shownDefault: '`members` with `--forge-organizations`, else `everybody`',
    about:
      'who may sign in with an account of the forge: everybody, members of the organizations, or people that an administrator has added',
  },
  {
    flag: '--forge-organizations',
    value: 'NAMES',
    many: true,
    environment: 'FLIGHTDECK_FORGE_ORGANIZATIONS',
    shownDefault: 'none',
    about: 'organizations (on GitLab: full paths of groups) whose members may sign in; several with commas',
  },
  {
    flag: '--forge-admins',
    value: 'LOGINS',
    many: true,
    environment: 'FLIGHTDECK_FORGE_ADMINS',
    shownDefault: 'none',
    about:
      'people of the forge who become administrators when they first sign in; the account is remembered, so that nobody gets the right by taking over a login',
  },
  {
    flag: '--forge-moved',
    value: '',
    environment: 'FLIGHTDECK_FORGE_MOVED',
    shownDefault: 'false',
    about: 'the forge has another address than at the last start, and is still the same one',
  },
  {
    flag: '--status-name',
    value: 'NAME',
    environment: 'FLIGHTDECK_STATUS_NAME',
    shownDefault: '`continuous-integration/drone`',
    about: 'first part of the names of commit statuses',
  },
  {
    flag: '--status-skipped',
    value: '',
    environment: 'FLIGHTDECK_STATUS_SKIPPED',
    shownDefault: 'false',
    about: 'report commits that start no build as passed, with the word "skipped", so that required checks do not wait',
  },
] as const
