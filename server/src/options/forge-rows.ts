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
  about: `connect repositories and users of this ${titles[kind]}${home === undefined ? '' : `; defaults to ${home}`}`,
})

const application = <const K extends OAuthKind>(kind: K) =>
  [
    {
      flag: `${kind}-client-id`,
      value: '',
      environment: `${upper(kind)}_CLIENT_ID`,
      shownDefault: 'none',
      about: `client id of the OAuth application at ${titles[kind]}, with the redirect URL PUBLIC-URL/login`,
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
    shownDefault: 'the address of the forge',
    about: 'address that this server uses for the forge, if it differs from the one for people and runners',
  },
  {
    flag: '--forge-hook-url',
    value: 'URL',
    environment: 'FLIGHTDECK_FORGE_HOOK_URL',
    shownDefault: 'the public address',
    about: 'address that the forge uses to reach this server, for webhooks',
  },
  {
    flag: '--forge-access',
    value: 'everybody|members|invited',
    environment: 'FLIGHTDECK_FORGE_ACCESS',
    shownDefault: '`members` with `--forge-organizations`, else `everybody`',
    about:
      'which forge users can sign in: everybody, members of the organizations, or people whom an administrator has added',
  },
  {
    flag: '--forge-organizations',
    value: 'NAMES',
    many: true,
    environment: 'FLIGHTDECK_FORGE_ORGANIZATIONS',
    shownDefault: 'none',
    about:
      'organizations (on GitLab: full paths of groups) whose members may sign in, or names of people; separate with commas',
  },
  {
    flag: '--forge-admins',
    value: 'LOGINS',
    many: true,
    environment: 'FLIGHTDECK_FORGE_ADMINS',
    shownDefault: 'none',
    about:
      'forge users who become administrators at their first sign-in; the account is remembered, so taking over a login gives nothing',
  },
  {
    flag: '--forge-moved',
    value: '',
    environment: 'FLIGHTDECK_FORGE_MOVED',
    shownDefault: 'false',
    about: 'the forge has a new address since the last start, but is the same forge',
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
    about: 'report commits that start no build as passed ("skipped"), so that required checks do not block',
  },
] as const
