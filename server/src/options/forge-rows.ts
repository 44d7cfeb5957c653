/** The settings of the forge, for the table of all settings. */
const titles = { gitea: 'Gitea', forgejo: 'Forgejo', gogs: 'Gogs', github: 'GitHub', gitlab: 'GitLab' } as const

type OAuthKind = 'gitea' | 'forgejo' | 'github' | 'gitlab'

const upper = (kind: string): string => `FLIGHTDECK_${kind.toUpperCase()}`

/** `home`: the public service, for forges that most people use there. */
const address = <const K extends keyof typeof titles>(kind: K, home?: string) => ({
  flag: `--${kind}` as const,
  value: home === undefined ? 'URL' : '[URL]',
  ...(home !== undefined && { optional: true as const }),
  environment: upper(kind),
  shownDefault: 'none',
  about: `connect this ${titles[kind]} server, with its repositories and users${home === undefined ? '' : `; defaults to ${home}`}`,
})

const application = <const K extends OAuthKind>(kind: K) =>
  [
    {
      flag: `${kind}-client-id`,
      value: '',
      environment: `${upper(kind)}_CLIENT_ID`,
      shownDefault: 'none',
      about: `client ID of the OAuth application on ${titles[kind]}; its redirect URL is PUBLIC-URL/login`,
    },
    {
      flag: `${kind}-client-secret`,
      value: '',
      environment: `${upper(kind)}_CLIENT_SECRET`,
      shownDefault: 'none',
      about: 'client secret; only from the environment',
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
    shownDefault: 'the address of the Git host',
    about: 'address at which this server reaches the Git host, if it differs from the public one',
  },
  {
    flag: '--forge-hook-url',
    value: 'URL',
    environment: 'FLIGHTDECK_FORGE_HOOK_URL',
    shownDefault: 'the public address',
    about: 'address at which the Git host reaches this server, for webhooks',
  },
  {
    flag: '--forge-access',
    value: 'everybody|members|invited',
    environment: 'FLIGHTDECK_FORGE_ACCESS',
    shownDefault: '`members` with `--forge-organizations`, else `everybody`',
    about:
      'users who can sign in: everybody, members (of the organizations) or invited (only people an administrator has added)',
  },
  {
    flag: '--forge-organizations',
    value: 'NAMES',
    many: true,
    environment: 'FLIGHTDECK_FORGE_ORGANIZATIONS',
    shownDefault: 'none',
    about:
      'organizations (on GitLab: full paths of groups) whose members can sign in, or logins of people; separate with commas',
  },
  {
    flag: '--forge-admins',
    value: 'LOGINS',
    many: true,
    environment: 'FLIGHTDECK_FORGE_ADMINS',
    shownDefault: 'none',
    about: 'users who become administrators when they first sign in; a later owner of the same login does not',
  },
  {
    flag: '--forge-moved',
    value: '',
    environment: 'FLIGHTDECK_FORGE_MOVED',
    shownDefault: 'false',
    about: 'accept a new address of the same Git host since the last start',
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
    about: 'report commits without a build as passed ("skipped"), so that required checks do not block',
  },
] as const
