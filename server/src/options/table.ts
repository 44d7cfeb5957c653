/** Every setting: its names, its default and what it means; `--help` and the README's table are made from it. */
export interface OptionFacts {
  /** Without dashes: from the environment only, for everybody on the machine can read a command line. */
  flag: string
  /** Empty for a switch. */
  value: string
  /** May be given several times. */
  many?: true
  environment: string
  shownDefault: string
  about: string
}

const table = [
  {
    flag: '--port',
    value: 'N',
    environment: 'FLIGHTDECK_PORT',
    shownDefault: '8080',
    about: 'port to listen on; if it is taken the server says so and ends (0: any free port)',
  },
  {
    flag: '--host',
    value: 'H',
    environment: 'FLIGHTDECK_HOST',
    shownDefault: '127.0.0.1',
    about: 'address to listen on',
  },
  {
    flag: '--public-url',
    value: 'URL',
    environment: 'FLIGHTDECK_PUBLIC_URL',
    shownDefault: 'http://HOST:PORT',
    about: 'address that browsers use; for links, badges, clone addresses and the check of the Origin header',
  },
  {
    flag: '--data',
    value: 'DIR',
    environment: 'FLIGHTDECK_DATA',
    shownDefault: './data',
    about: 'folder for the database, logs, workspaces and the generated password (mode 0700)',
  },
  {
    flag: '--repos',
    value: 'DIR',
    environment: 'FLIGHTDECK_REPOS',
    shownDefault: 'none',
    about: 'git repositories on this machine, work trees or bare, as DIR/{namespace}/{name}[.git]',
  },
  {
    flag: '--admin',
    value: 'LOGIN',
    environment: 'FLIGHTDECK_ADMIN',
    shownDefault: '`admin`',
    about:
      'administrator; the variable may hold LOGIN:PASSWORD, which sets the password, also on a later start (a command line can be read by everybody on the machine)',
  },
  {
    flag: '--admin-password-file',
    value: 'FILE',
    environment: 'FLIGHTDECK_ADMIN_PASSWORD_FILE',
    shownDefault: 'generated, in the data folder',
    about: "file with the administrator's password, on one line; on a later start it sets the password",
  },
  {
    flag: '--capacity',
    value: 'N',
    environment: 'FLIGHTDECK_CAPACITY',
    shownDefault: 'number of cores',
    about: 'stages that run at once',
  },
  {
    flag: '--run-as',
    value: 'USER',
    environment: 'FLIGHTDECK_RUN_AS',
    shownDefault: 'one for each stage, when started as root',
    about: 'when started as root: all steps run as this account, never as root unless told so by name',
  },
  {
    flag: '--isolation',
    value: 'auto|sandbox|accounts|none',
    environment: 'FLIGHTDECK_ISOLATION',
    shownDefault: 'auto',
    about:
      'how steps are kept apart (the README tells what each promises); auto takes the best that works here, another one ends the start if it does not',
  },
  {
    flag: '--expose',
    value: 'PATH',
    many: true,
    environment: 'FLIGHTDECK_EXPOSE',
    shownDefault: 'none',
    about:
      'file or folder that sandboxed steps may read besides the system, such as a cache or a socket; several with commas, or the option again',
  },
  {
    flag: '--default-access',
    value: 'none|read|write',
    environment: 'FLIGHTDECK_DEFAULT_ACCESS',
    shownDefault: 'none',
    about: 'what new users may do with all repositories; administrators of a repository can change it',
  },
  {
    flag: '--public-pages',
    value: '',
    environment: 'FLIGHTDECK_PUBLIC_PAGES',
    shownDefault: 'false',
    about: 'show the pages of public repositories, with their commits and logs, also to people who are not signed in',
  },
  {
    flag: '--log-limit',
    value: 'MB',
    environment: 'FLIGHTDECK_LOG_LIMIT',
    shownDefault: '250',
    about: "megabytes of one step's log; what comes later is dropped, and a last line says so",
  },
  {
    flag: '--time-zone',
    value: 'ZONE',
    environment: 'FLIGHTDECK_TIME_ZONE',
    shownDefault: 'UTC',
    about: 'time zone in which cron jobs are meant, such as Europe/Berlin',
  },
  {
    flag: '--trust-proxy',
    value: '',
    environment: 'FLIGHTDECK_TRUST_PROXY',
    shownDefault: 'false',
    about: 'behind a proxy of yours: believe its X-Forwarded-For and X-Forwarded-Proto',
  },
  {
    flag: '--allow-origin',
    value: 'URL',
    many: true,
    environment: 'FLIGHTDECK_ALLOW_ORIGIN',
    shownDefault: 'none',
    about: 'web pages of this origin may call the API from a browser (CORS); several with commas, or the option again',
  },
  {
    flag: '--allow-host',
    value: 'NAME',
    many: true,
    environment: 'FLIGHTDECK_ALLOW_HOST',
    shownDefault: 'none',
    about:
      'further name of this server; besides these it answers only to the public URL’s, to the address listened on and to localhost, also at `/healthz`; several with commas, or the option again',
  },
  {
    flag: 'secrets-key',
    value: '',
    environment: 'FLIGHTDECK_SECRETS_KEY',
    shownDefault: 'a file in the data folder',
    about: 'key that encrypts secrets and tokens, 64 hexadecimal digits; only from the environment',
  },
  {
    flag: '--rpc-secret-file',
    value: 'FILE',
    environment: 'FLIGHTDECK_RPC_SECRET_FILE',
    shownDefault: 'none',
    about: 'file with the secret of runners on other machines; with it, or with the next one, they may take stages',
  },
  {
    flag: 'rpc-secret',
    value: '',
    environment: 'FLIGHTDECK_RPC_SECRET',
    shownDefault: 'none',
    about: 'that secret itself; only from the environment',
  },
  {
    flag: '--runner-timeout',
    value: 'SECONDS',
    environment: 'FLIGHTDECK_RUNNER_TIMEOUT',
    shownDefault: '180',
    about:
      'a runner on another machine that is silent for so long is taken for lost; below 30 also those that only wait',
  },
  {
    flag: '--docker',
    value: '',
    environment: 'FLIGHTDECK_DOCKER',
    shownDefault: 'false',
    about: 'run pipelines of type docker on this machine: start and watch Drone’s Docker runner as a container',
  },
  {
    flag: '--docker-image',
    value: 'IMAGE',
    environment: 'FLIGHTDECK_DOCKER_IMAGE',
    shownDefault: 'drone/drone-runner-docker:1',
    about: 'image of that runner; it is fetched if Docker does not have it',
  },
  {
    flag: '--docker-capacity',
    value: 'N',
    environment: 'FLIGHTDECK_DOCKER_CAPACITY',
    shownDefault: '2',
    about: 'stages that it runs at once',
  },
  {
    flag: '--docker-memory',
    value: 'MB',
    environment: 'FLIGHTDECK_DOCKER_MEMORY',
    shownDefault: 'all there is',
    about: 'megabytes of memory for each container of a step',
  },
  {
    flag: '--docker-labels',
    value: 'K=V',
    environment: 'FLIGHTDECK_DOCKER_LABELS',
    shownDefault: 'none',
    about: 'it takes only pipelines with exactly these labels; several with commas',
  },
  {
    flag: '--docker-network',
    value: 'NAME',
    environment: 'FLIGHTDECK_DOCKER_NETWORK',
    shownDefault: 'one of its own',
    about: 'Docker network of the runner, a bridge; on the address of its gateway this server listens for runners',
  },
  {
    flag: '--docker-port',
    value: 'N',
    environment: 'FLIGHTDECK_DOCKER_PORT',
    shownDefault: '0, any free port',
    about: 'port on that address, such as for a firewall that has to let containers in',
  },
  {
    flag: '--docker-socket',
    value: 'PATH',
    environment: 'FLIGHTDECK_DOCKER_SOCKET',
    shownDefault: 'that of `DOCKER_HOST`, else `/var/run/docker.sock`',
    about: 'Unix socket of Docker',
  },
  {
    flag: '--server',
    value: 'URL',
    environment: 'FLIGHTDECK_SERVER',
    shownDefault: 'none',
    about: 'stand in front of this Drone server instead of running a CI of our own',
  },
  {
    flag: '--server-token-file',
    value: 'FILE',
    environment: 'FLIGHTDECK_SERVER_TOKEN_FILE',
    shownDefault: 'none: people sign in',
    about:
      'with `--server`, for a wall or one person: file with a token of that server, which signs every request; whoever reaches this address reads as its owner',
  },
  {
    flag: 'server-token',
    value: '',
    environment: 'FLIGHTDECK_SERVER_TOKEN',
    shownDefault: 'none',
    about: 'that token itself; only from the environment',
  },
  {
    flag: '--allow-writes',
    value: '',
    environment: 'FLIGHTDECK_ALLOW_WRITES',
    shownDefault: 'false',
    about: 'with such a token: also start, cancel and change things; without it everything is only shown',
  },
  {
    flag: '--share-server-token',
    value: '',
    environment: 'FLIGHTDECK_SHARE_SERVER_TOKEN',
    shownDefault: 'false',
    about: 'with such a token: listen beyond this machine, or go by a name that others reach',
  },
] as const satisfies readonly OptionFacts[]

export type Flag = (typeof table)[number]['flag']
export type Row = OptionFacts & { flag: Flag }
/** What was given, by flag, and whether by flag or by environment. */
export type Given = Partial<Record<Flag, { text: string; from: string }>>
export const rows: readonly Row[] = table

export const hasFlag = ({ flag }: Pick<OptionFacts, 'flag'>): boolean => flag.startsWith('--')
