import { describe, expect, it } from 'vitest'
import { unusedDroneWords } from './drone.ts'
import { parseOptions } from './options.ts'
import { UsageError } from './values.ts'

const refused = (words: string[], environment = {}): string => {
  try {
    parseOptions(words, environment)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'accepted'
}
const gitea = { FLIGHTDECK_GITEA_CLIENT_ID: 'id', FLIGHTDECK_GITEA_CLIENT_SECRET: 'word' }

describe('the forge', () => {
  it('is none by default, and beside --repos where it is named', () => {
    expect(parseOptions([], {}).forge).toBeUndefined()
    const { forge, repos } = parseOptions(['--gitea', 'https://git.example.com/git/', '--repos', '/srv'], gitea)
    expect(forge).toMatchObject({
      settings: { kind: 'gitea', url: 'https://git.example.com/git', clientId: 'id', clientSecret: 'word' },
      access: 'everybody',
      statusName: 'continuous-integration/drone',
    })
    expect(repos).toBe('/srv')
  })

  it('is the public service where that is meant', () => {
    const github = { FLIGHTDECK_GITHUB_CLIENT_ID: 'id', FLIGHTDECK_GITHUB_CLIENT_SECRET: 'word' }
    for (const words of [['--github'], ['--github', '--port', '81'], []]) {
      expect(parseOptions(words, github).forge?.settings.url).toBe('https://github.com')
    }
    expect(parseOptions(['--github', 'https://ghe.example.com'], github).forge?.settings.url).toBe(
      'https://ghe.example.com',
    )
  })

  it('needs no application on Gogs', () => {
    expect(parseOptions(['--gogs', 'http://gogs.lan:3000'], {}).forge?.settings).toEqual({
      kind: 'gogs',
      url: 'http://gogs.lan:3000',
    })
  })

  it('is understood as Drone’s documentation names it', () => {
    const options = parseOptions([], {
      DRONE_GITEA_SERVER: 'https://git.example.com',
      DRONE_GITEA_CLIENT_ID: 'id',
      DRONE_GITEA_CLIENT_SECRET: 'word',
      DRONE_SERVER_HOST: 'ci.example.com',
      DRONE_SERVER_PROTO: 'https',
      DRONE_RPC_SECRET: 'of runners',
      DRONE_USER_CREATE: 'username:octocat,admin:true',
      DRONE_USER_FILTER: 'acme,tools',
    })
    expect(options).toMatchObject({
      publicUrl: 'https://ci.example.com',
      rpcSecret: 'of runners',
      forge: { access: 'members', organizations: ['acme', 'tools'], admins: ['octocat'] },
    })
    const closed = { DRONE_GOGS_SERVER: 'https://git.example.com', DRONE_REGISTRATION_CLOSED: 'true' }
    expect(parseOptions([], closed).forge).toMatchObject({ settings: { kind: 'gogs' }, access: 'invited' })
    // What is ours wins.
    expect(parseOptions([], { ...closed, FLIGHTDECK_GOGS: 'https://other.example.com' }).forge?.settings.url).toBe(
      'https://other.example.com',
    )
  })

  it.each<[string[], Record<string, string>, string]>([
    [['--gitea', 'git.example.com'], gitea, '--gitea must be an address'],
    [['--gitea', 'https://ann:x@git.example.com'], gitea, '--gitea must be an address'],
    [['--gitea', 'https://git.example.com'], {}, '--gitea needs an OAuth application on Gitea'],
    [
      ['--gitea', 'https://git.example.com'],
      { FLIGHTDECK_GITEA_CLIENT_ID: 'id' },
      'FLIGHTDECK_GITEA_CLIENT_ID needs the secret of that application',
    ],
    [[], gitea, 'FLIGHTDECK_GITEA_CLIENT_ID belongs to a Gitea whose address is missing'],
    [['--gogs', 'https://a.example.com', '--gitea', 'https://b.example.com'], gitea, 'name two Git hosts'],
    [['--gogs', 'https://a.example.com', '--forge-access', 'members'], {}, 'no organizations are named'],
    [['--gogs', 'https://a.example.com', '--forge-access', 'all'], {}, '--forge-access must be everybody, members'],
    [['--forge-admins', 'ann'], {}, '--forge-admins requires a Git host: add'],
    [[], { DRONE_SERVER_HOST: 'a', DRONE_SERVER_PROTO: 'ftp' }, 'DRONE_SERVER_PROTO must be http or https'],
    [[], { DRONE_USER_CREATE: 'admin:true' }, 'DRONE_USER_CREATE must look like'],
    [['--gitea-client-secret', 'word'], {}, 'Use --gitea-client-secret-file FILE'],
  ])('refuses %j %j in one sentence', (words, environment, message) => {
    expect(refused(words, environment)).toContain(message)
  })

  it('never repeats a secret', () => {
    const environment = { ...gitea, FLIGHTDECK_GITEA_CLIENT_SECRET: 'two words' }
    const message = refused(['--gitea', 'https://git.example.com'], environment)
    expect(message).toBe('FLIGHTDECK_GITEA_CLIENT_SECRET must be one word')
    expect(refused([], { DRONE_USER_CREATE: 'username:a,token:two words' })).not.toContain('two words')
  })
})

it('names the settings of Drone that mean nothing here, without their values, and no variable of a build', () => {
  const words = unusedDroneWords({
    DRONE_GITEA_SERVER: 'https://git.example.com',
    DRONE_GITEA_CLIENT_ID: 'id',
    DRONE_GITEA_CLIENT_SECRET: 'word',
    DRONE_RPC_SECRET: 'of runners',
    DRONE_SERVER_HOST: 'ci.example.com',
    DRONE_SERVER_PROTO: 'https',
    DRONE_COOKIE_SECRET: 'hidden',
    DRONE_DATABASE_DRIVER: 'postgres',
    DRONE_DATABASE_DATASOURCE: 'postgres://root:hidden@db/drone',
    DRONE_GIT_ALWAYS_AUTH: 'true',
    DRONE_TLS_AUTOCERT: '',
    DRONE_GIT_HTTP_URL: 'https://git.example.com/acme/web.git',
    DRONE_BUILD_NUMBER: '7',
    DRONE_COMMIT: 'abc',
    DRONE_REPO: 'acme/web',
    DRONE_STAGE_NAME: 'default',
  })
  expect(words).toBe(
    'Flightdeck ignores these settings of Drone: DRONE_COOKIE_SECRET, DRONE_DATABASE_DATASOURCE, DRONE_DATABASE_DRIVER, DRONE_GIT_ALWAYS_AUTH',
  )
  expect(unusedDroneWords({ DRONE_RPC_SECRET: 'of runners', DRONE_BUILD_NUMBER: '7' })).toBeUndefined()
})
