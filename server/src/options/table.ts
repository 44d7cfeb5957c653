/**
 * Every setting: its names, its default and what it means; `--help` and the README's table are made
 * from it.
 */
import { forgeRows } from './forge-rows.ts'

export interface OptionFacts {
  /**
   * Without dashes: from the environment only, since every user on the machine can read a command
   * line.
   */
  flag: string
  /** Empty for a switch. */
  value: string
  /** The value may be left out; then it is `true`. */
  optional?: true
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
    about: 'port to listen on (0 = any free port)',
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
    about: 'URL that users open; used for links, badges, clone URLs and the Origin check',
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
    about: 'admin login; the environment variable can be LOGIN:PASSWORD to set or reset the password',
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
    about: 'when started as root: all steps run as this account; as root only if named here',
  },
  {
    flag: '--isolation',
    value: 'auto|sandbox|accounts|none',
    environment: 'FLIGHTDECK_ISOLATION',
    shownDefault: 'auto',
    about:
      'how steps are isolated (the README describes each mode); auto picks the best available; any other value makes startup fail if unavailable',
  },
  {
    flag: '--expose',
    value: 'PATH',
    many: true,
    environment: 'FLIGHTDECK_EXPOSE',
    shownDefault: 'none',
    about:
      'extra file or folder that sandboxed steps can read, such as a cache or a socket; repeat the option or separate with commas; a comma in a path needs a backslash before it',
  },
  {
    flag: '--default-access',
    value: 'none|read|write',
    environment: 'FLIGHTDECK_DEFAULT_ACCESS',
    shownDefault: 'none',
    about: 'access that new users get to every repository',
  },
  {
    flag: '--public-pages',
    value: '',
    environment: 'FLIGHTDECK_PUBLIC_PAGES',
    shownDefault: 'false',
    about: 'also show public repositories, with their commits and logs, to people who are not signed in',
  },
  {
    flag: '--log-limit',
    value: 'MB',
    environment: 'FLIGHTDECK_LOG_LIMIT',
    shownDefault: '250',
    about: 'maximum log size per step in MB; the rest is dropped and a final line says so',
  },
  {
    flag: '--drain-timeout',
    value: 'SECONDS',
    environment: 'FLIGHTDECK_DRAIN_TIMEOUT',
    shownDefault: '0',
    about: 'seconds that running stages get to finish after SIGTERM; a second SIGTERM ends them immediately',
  },
  {
    flag: '--retain-build-days',
    value: 'DAYS',
    environment: 'FLIGHTDECK_RETAIN_BUILD_DAYS',
    shownDefault: '0, no limit',
    about: 'every night, remove builds older than this; repositories can override it in their settings',
  },
  {
    flag: '--retain-builds',
    value: 'N',
    environment: 'FLIGHTDECK_RETAIN_BUILDS',
    shownDefault: '0, no limit',
    about: 'every night, remove the oldest builds of repositories that have more',
  },
  {
    flag: '--retain-log-days',
    value: 'DAYS',
    environment: 'FLIGHTDECK_RETAIN_LOG_DAYS',
    shownDefault: '0, no limit',
    about: 'every night, remove logs of builds older than this; the builds stay',
  },
  {
    flag: '--retain-log-mb',
    value: 'MB',
    environment: 'FLIGHTDECK_RETAIN_LOG_MB',
    shownDefault: '0, no limit',
    about: 'every night, remove the oldest logs of repositories whose compressed logs take more',
  },
  {
    flag: '--log-format',
    value: 'text|json',
    environment: 'FLIGHTDECK_LOG_FORMAT',
    shownDefault: 'text',
    about: 'format of the server log; json writes one object per line',
  },
  {
    flag: '--log-level',
    value: 'error|warn|info|debug',
    environment: 'FLIGHTDECK_LOG_LEVEL',
    shownDefault: 'info',
    about: 'lowest level that the server logs; debug adds one entry per request',
  },
  {
    flag: '--metrics-access',
    value: 'token|loopback|anyone',
    environment: 'FLIGHTDECK_METRICS_ACCESS',
    shownDefault: 'token',
    about:
      'who can read /metrics: token = administrators and machine accounts; loopback = also this machine, unless a proxy forwarded the request; anyone = everyone',
  },
  {
    flag: '--time-zone',
    value: 'ZONE',
    environment: 'FLIGHTDECK_TIME_ZONE',
    shownDefault: 'UTC',
    about: 'time zone for cron schedules, such as Europe/Berlin',
  },
  {
    flag: '--trust-proxy',
    value: '',
    environment: 'FLIGHTDECK_TRUST_PROXY',
    shownDefault: 'false',
    about: 'trust X-Forwarded-For and X-Forwarded-Proto from your reverse proxy',
  },
  {
    flag: '--allow-origin',
    value: 'URL',
    many: true,
    environment: 'FLIGHTDECK_ALLOW_ORIGIN',
    shownDefault: 'none',
    about: 'origin whose pages can call the API from a browser (CORS); repeat the option or separate with commas',
  },
  {
    flag: '--allow-host',
    value: 'NAME',
    many: true,
    environment: 'FLIGHTDECK_ALLOW_HOST',
    shownDefault: 'none',
    about:
      'additional host name to accept; all others except the public URL, the listen address and localhost are refused; repeat the option or separate with commas',
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
    about: 'file with the shared secret for remote runners; needed for them to connect',
  },
  {
    flag: 'rpc-secret',
    value: '',
    environment: 'FLIGHTDECK_RPC_SECRET',
    shownDefault: 'none',
    about: 'the secret itself; only from the environment',
  },
  {
    flag: '--runner-timeout',
    value: 'SECONDS',
    environment: 'FLIGHTDECK_RUNNER_TIMEOUT',
    shownDefault: '180',
    about: 'seconds without contact before a remote runner counts as lost; values below 30 apply to idle runners too',
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
    about: 'image of that runner; it is pulled if Docker does not have it',
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
    shownDefault: 'unlimited',
    about: 'megabytes of memory for each container of a step',
  },
  {
    flag: '--docker-labels',
    value: 'K=V',
    environment: 'FLIGHTDECK_DOCKER_LABELS',
    shownDefault: 'none',
    about: 'run only pipelines with exactly these labels; separate with commas',
  },
  {
    flag: '--docker-network',
    value: 'NAME',
    environment: 'FLIGHTDECK_DOCKER_NETWORK',
    shownDefault: 'one of its own',
    about: 'bridge network for the runner; the server listens for runners on its gateway address',
  },
  {
    flag: '--docker-port',
    value: 'N',
    environment: 'FLIGHTDECK_DOCKER_PORT',
    shownDefault: '0, any free port',
    about: 'port on that address, to allow in a firewall',
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
    about: 'act as a front end for this Drone server instead of running builds',
  },
  {
    flag: '--server-token-file',
    value: 'FILE',
    environment: 'FLIGHTDECK_SERVER_TOKEN_FILE',
    shownDefault: 'none: people sign in',
    about:
      'with `--server`, for a wall display or a single user: file with a Drone token used for every request; everyone who reaches this address acts as its owner',
  },
  {
    flag: 'server-token',
    value: '',
    environment: 'FLIGHTDECK_SERVER_TOKEN',
    shownDefault: 'none',
    about: 'the token itself; only from the environment',
  },
  {
    flag: '--allow-writes',
    value: '',
    environment: 'FLIGHTDECK_ALLOW_WRITES',
    shownDefault: 'false',
    about: 'with a server token: also allow starting, canceling and changing things; read-only without it',
  },
  {
    flag: '--share-server-token',
    value: '',
    environment: 'FLIGHTDECK_SHARE_SERVER_TOKEN',
    shownDefault: 'false',
    about: 'with a server token: allow access from other machines',
  },
  ...forgeRows,
] as const satisfies readonly OptionFacts[]

export type Flag = (typeof table)[number]['flag']
export type Row = OptionFacts & { flag: Flag }
/** What was given, by flag, and whether by flag or by environment. */
export type Given = Partial<Record<Flag, { text: string; from: string }>>
export const rows: readonly Row[] = table

export const hasFlag = ({ flag }: Pick<OptionFacts, 'flag'>): boolean => flag.startsWith('--')
