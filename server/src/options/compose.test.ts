/**
 * A compose file of Drone starts Flightdeck when only its image is another one, and so does ours
 * with the lines of each guide.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { unusedDroneWords } from './drone.ts'
import { parseOptions } from './options.ts'

const docs = join(import.meta.dirname, '../../../docs')
const textOf = (file: string): string => readFileSync(join(docs, file), 'utf8')

/** What Drone's documentation sets for every forge. */
const common = {
  DRONE_RPC_SECRET: 'of all runners',
  DRONE_SERVER_HOST: 'ci.example.com',
  DRONE_SERVER_PROTO: 'https',
}
const forges: Record<string, Record<string, string>> = {
  gitea: {
    DRONE_GITEA_SERVER: 'https://git.example.com/',
    DRONE_GITEA_CLIENT_ID: 'id',
    DRONE_GITEA_CLIENT_SECRET: 'word',
  },
  github: { DRONE_GITHUB_CLIENT_ID: 'id', DRONE_GITHUB_CLIENT_SECRET: 'word' },
  gitlab: { DRONE_GITLAB_CLIENT_ID: 'id', DRONE_GITLAB_CLIENT_SECRET: 'word' },
  gogs: { DRONE_GOGS_SERVER: 'https://git.example.com' },
}

describe('the settings of a Drone server', () => {
  it.each(Object.entries(forges))('of %s are enough', (kind, given) => {
    const options = parseOptions([], { ...common, ...given })
    expect(options).toMatchObject({ publicUrl: 'https://ci.example.com', rpcSecret: 'of all runners' })
    expect(options.forge).toMatchObject({ settings: { kind }, access: 'everybody', admins: [] })
    expect(unusedDroneWords({ ...common, ...given })).toBeUndefined()
  })

  const gogsWith = (more: Record<string, string>) => ({ ...common, ...forges['gogs'], ...more })

  it('make the person of DRONE_USER_CREATE an administrator, with or without the fields that the documentation adds', () => {
    for (const fields of [
      'admin:true',
      'machine:false,admin:true',
      'machine:false,admin:true,token:0123456789abcdef',
    ]) {
      const given = gogsWith({ DRONE_USER_CREATE: `username:octocat,${fields}` })
      expect(parseOptions([], given).forge?.admins).toEqual(['octocat'])
    }
    const given = gogsWith({ DRONE_USER_CREATE: 'username:octocat,machine:false,admin:true,token:0123456789abcdef' })
    expect(unusedDroneWords(given)).toBe(
      'Flightdeck ignores these settings of Drone: the token in DRONE_USER_CREATE (create it on the page Users)',
    )
    const machine = gogsWith({ DRONE_USER_CREATE: 'username:robot,machine:true,admin:true,token:0123456789abcdef' })
    expect(parseOptions([], machine).forge?.admins).toEqual([])
    expect(unusedDroneWords(machine)).toContain('the token and the machine account in DRONE_USER_CREATE')
    expect(unusedDroneWords(machine)).not.toContain('0123456789abcdef')
    expect(parseOptions([], gogsWith({ DRONE_USER_CREATE: 'username:ann' })).forge?.admins).toEqual([])
  })

  it.each([
    [{ DRONE_USER_FILTER: 'acme, tools' }, { access: 'members', organizations: ['acme', 'tools'] }],
    [{ DRONE_REGISTRATION_CLOSED: 'true' }, { access: 'invited' }],
    [{ DRONE_REGISTRATION_CLOSED: 'false' }, { access: 'everybody' }],
    [{ DRONE_STATUS_NAME: 'ci' }, { statusName: 'ci' }],
  ])('%j are understood', (given, expected) => {
    expect(parseOptions([], gogsWith(given)).forge).toMatchObject(expected)
  })

  it.each([
    [':80', 80],
    ['80', 80],
    ['0.0.0.0:3000', 3000],
    ['[::]:443', 443],
  ])('listen on DRONE_SERVER_PORT=%s', (text, port) => {
    expect(parseOptions([], gogsWith({ DRONE_SERVER_PORT: text })).port).toBe(port)
    // Ours wins, and the variable of the image alone says nothing.
    expect(parseOptions([], gogsWith({ DRONE_SERVER_PORT: text, FLIGHTDECK_PORT: '81' })).port).toBe(81)
    expect(parseOptions([], { DRONE_SERVER_PORT: text }).port).toBe(8080)
  })

  it.each([
    [{ DRONE_SERVER_HOST: 'https://ci.example.com/' }, 'https://ci.example.com'],
    [{ DRONE_SERVER_PROTO: '', DRONE_TLS_AUTOCERT: 'true' }, 'https://ci.example.com'],
    [{ DRONE_SERVER_PROTO: 'http', DRONE_TLS_CERT: '/cert.pem', DRONE_TLS_KEY: '/key.pem' }, 'https://ci.example.com'],
    [{ DRONE_SERVER_PROTO: '', DRONE_TLS_AUTOCERT: 'false' }, 'http://ci.example.com'],
    [{ DRONE_SERVER_PROTO: 'HTTPS', DRONE_SERVER_HOST: 'ci.example.com:8443' }, 'https://ci.example.com:8443'],
  ])('with %j have the address that Drone has', (given, address) => {
    expect(parseOptions([], gogsWith(given)).publicUrl).toBe(address)
  })

  it.each([
    [{ DRONE_SERVER_PROXY_HOST: 'inside.example.com' }, 'https://inside.example.com'],
    [{ DRONE_SERVER_PROXY_HOST: 'flightdeck:8080', DRONE_SERVER_PROXY_PROTO: 'http' }, 'http://flightdeck:8080'],
    [{ DRONE_SERVER_PROXY_HOST: '' }, undefined],
  ])('with %j get webhooks there', (given, address) => {
    expect(parseOptions([], gogsWith(given)).forge?.hookUrl).toBe(address)
  })

  it('that mean nothing here start it, and are named', () => {
    const unused = {
      DRONE_DATABASE_DRIVER: 'postgres',
      DRONE_DATABASE_DATASOURCE: 'postgres://root:hidden@db/drone',
      DRONE_DATABASE_SECRET: 'hidden',
      DRONE_TLS_AUTOCERT: 'true',
      DRONE_LOGS_DEBUG: 'true',
    }
    expect(parseOptions([], gogsWith(unused)).forge?.settings.kind).toBe('gogs')
    const words = unusedDroneWords(gogsWith(unused)) ?? ''
    for (const name of Object.keys(unused)) expect(words).toContain(name)
    expect(words).not.toContain('hidden')
  })

  // One of each group of Drone's documentation.
  it.each(
    `ADMISSION_PLUGIN_ENDPOINT AGENTS_DISABLED AZURE_BLOB_CONTAINER_NAME BITBUCKET_CLIENT_ID CLEANUP_INTERVAL CONVERT_PLUGIN_ENDPOINT
    COOKIE_TIMEOUT CRON_DISABLED DATABASE_MAX_CONNECTIONS DATADOG_ENABLED DOCKER_CONFIG GITEA_SKIP_VERIFY GITEE_SERVER GITHUB_SCOPE
    GITLAB_DEBUG GIT_IMAGE GOGS_SKIP_VERIFY HTTP_SSL_REDIRECT INCOMING_WEBHOOK_EVENTS JSONNET_ENABLED LICENSE LICENSE_ENDPOINT LIMIT_MEM
    LOGS_TRACE MIN_AGE PPROF_ENABLED PROMETHEUS_HTTP_METRICS REDIS_CONNECTION REGISTRY_ENDPOINT REPOSITORY_FILTER RPC_HOST
    RUNNER_CAPACITY S3_BUCKET SECRET_ENDPOINT STARLARK_ENABLED STASH_SERVER STATUS_DISABLED TLS_EMAIL VALIDATE_PLUGIN_ENDPOINT
    WEBHOOK_ENDPOINT YAML_ENDPOINT`.split(/\s+/),
  )('name DRONE_%s, which has no effect', (name) => {
    const given = gogsWith({ [`DRONE_${name}`]: '1' })
    expect(parseOptions([], given).forge?.settings.kind).toBe('gogs')
    expect(unusedDroneWords(given)).toBe(`Flightdeck ignores these settings of Drone: DRONE_${name}`)
  })

  it.each([
    [{ DRONE_SERVER_PORT: 'http' }, 'DRONE_SERVER_PORT must look like :80'],
    [
      { DRONE_SERVER_PROXY_HOST: 'a', DRONE_SERVER_PROXY_PROTO: 'ftp' },
      'DRONE_SERVER_PROXY_PROTO must be http or https',
    ],
    [{ DRONE_TLS_AUTOCERT: 'perhaps' }, 'DRONE_TLS_AUTOCERT must be true or false'],
    [{ DRONE_USER_CREATE: 'username:ann,admin:perhaps' }, 'DRONE_USER_CREATE must be true or false'],
    [{ DRONE_REGISTRATION_CLOSED: 'perhaps' }, 'DRONE_REGISTRATION_CLOSED must be true or false'],
  ])('%j are refused in one sentence', (given, message) => {
    expect(() => parseOptions([], gogsWith(given))).toThrow(message)
  })
})

interface Compose {
  services: Record<string, { environment?: Record<string, string>; env_file?: string[]; image?: string }>
}

describe('docs/operate/compose.yaml', () => {
  const { services } = parse(textOf('operate/compose.yaml')) as Compose

  /** The lines of a guide; what the reader must fill in is a word. */
  const linesOf = (kind: string): Record<string, string> => {
    const block = /```env\n([^`]*)```/.exec(textOf(`guide/${kind}.md`))?.[1] ?? ''
    return Object.fromEntries(
      block
        .trim()
        .split('\n')
        .map((line) => line.replace('…', 'word').split('=', 2) as [string, string]),
    )
  }

  it.each(['gitea', 'github', 'gitlab', 'gogs'])('starts with the lines of the guide of %s', (kind) => {
    const env = linesOf(kind)
    const fill = (text: string) => text.replaceAll(/\$\{(\w+)(?::-)?\}/g, (_, name: string) => env[name] ?? '')
    const of = (service: string) =>
      Object.fromEntries(Object.entries(services[service]?.environment ?? {}).map(([key, value]) => [key, fill(value)]))
    const server = { ...env, ...of('flightdeck') }
    delete server['CI_HOST']
    const options = parseOptions([], server)
    expect(options.publicUrl).toBe('https://ci.example.com')
    expect(options.forge?.settings.kind).toBe(kind)
    const runner = of('runner')
    expect(runner['DRONE_RPC_SECRET']).toBe(options.rpcSecret)
    expect(runner['DRONE_RPC_HOST']).toBe(`flightdeck:${options.port}`)
  })
})
