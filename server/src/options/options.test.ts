import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { helpText, optionTable } from './help.ts'
import { parseOptions } from './options.ts'
import { UsageError } from './values.ts'

const refused = (argv: string[], environment = {}) => {
  try {
    parseOptions(argv, environment)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'accepted'
}

describe('options', () => {
  it('has the defaults of the table', () => {
    expect(parseOptions([], {})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: undefined,
      repos: undefined,
      defaultAccess: 'none',
      logLimit: 250 * 1024 * 1024,
      timeZone: 'UTC',
      publicPages: false,
      trustProxy: false,
      allowOrigins: [],
      allowHosts: [],
    })
  })

  it('takes flags in both forms before environment variables', () => {
    const options = parseOptions(['--port=81', '--host', 'localhost'], {
      FLIGHTDECK_PORT: '82',
      FLIGHTDECK_CAPACITY: '3',
    })
    expect(options).toMatchObject({ port: 81, host: 'localhost', capacity: 3 })
  })

  it('keeps colons of the password and the slash-less public address', () => {
    const options = parseOptions(['--public-url', 'https://ci.example.com/'], { FLIGHTDECK_ADMIN: 'ann:a:b=c' })
    expect(options.admin).toEqual({ login: 'ann', password: 'a:b=c' })
    expect(options.publicUrl).toBe('https://ci.example.com')
  })

  it('takes a switch without a value, and from the environment with one', () => {
    const { trustProxy, port } = parseOptions(['--trust-proxy', '--port', '81'], {})
    expect([trustProxy, port]).toEqual([true, 81])
    expect(parseOptions([], { FLIGHTDECK_TRUST_PROXY: 'true' }).trustProxy).toBe(true)
    expect(parseOptions(['--trust-proxy=false'], { FLIGHTDECK_TRUST_PROXY: '1' }).trustProxy).toBe(false)
  })

  it('takes several names of the server, and nothing that is none', () => {
    const { allowHosts } = parseOptions(['--allow-host', 'ci.lan, 10.0.0.7:8080', '--allow-host=fd00::7'], {})
    expect(allowHosts).toEqual(['ci.lan', '10.0.0.7:8080', '[fd00::7]'])
    for (const text of ['http://ci.lan', 'ci lan', '*', 'a/b', 'me@ci.lan']) {
      expect(refused(['--allow-host', text])).toBe(`--allow-host must be a name such as ci.example.com, not "${text}"`)
    }
  })

  it('accepts several origins, with commas or repeated options, instead of those of the environment', () => {
    const environment = { FLIGHTDECK_ALLOW_ORIGIN: 'https://c.example.com, http://d.example.com:81/' }
    expect(parseOptions([], environment).allowOrigins).toEqual(['https://c.example.com', 'http://d.example.com:81'])
    const argv = ['--allow-origin', 'https://A.example.com,https://b.example.com:443', '--allow-origin=http://e']
    expect(parseOptions(argv, environment).allowOrigins).toEqual([
      'https://a.example.com',
      'https://b.example.com',
      'http://e',
    ])
  })

  it('takes megabytes and a right', () => {
    const options = parseOptions(['--log-limit', '5', '--default-access', 'write'], {})
    expect([options.logLimit, options.defaultAccess]).toEqual([5 * 1024 * 1024, 'write'])
  })

  it.each([
    [['--default-access', 'admin'], '--default-access must be none, read, write'],
    [['--time-zone', 'Mars/Base'], '--time-zone must be a time zone such as Europe/Berlin, not "Mars/Base"'],
    [['--log-limit', '0'], '--log-limit must be a whole number from 1'],
    [['--trust-proxy=perhaps'], '--trust-proxy must be true or false'],
    [['--allow-origin', '*'], '--allow-origin must be an address'],
    [['--allow-origin', 'https://a.example.com/x'], 'must not contain a path'],
    [['--nope', '1'], 'Unknown option --nope'],
    [['extra'], 'Unknown option extra'],
    [['--port'], '--port needs a value'],
    [['--port', 'x'], '--port must be a whole number'],
    [['--port', '70000'], '--port must be a whole number'],
    [['--capacity', '0'], '--capacity must be a whole number from 1'],
    [['--public-url', 'ci.example.com'], '--public-url must be an address'],
    [['--public-url', 'https://ci.example.com/sub'], 'must not contain a path'],
    [['--admin', 'a b'], '--admin must be a login'],
    [['--admin-password-file', '/no/such'], '--admin-password-file: /no/such cannot be read'],
    [['--isolation', 'docker'], '--isolation must be auto, sandbox, accounts, none'],
    [['--server', 'https://drone.example.com/ci'], 'must not contain a path'],
    [['--server', 'drone.example.com'], '--server must be an address'],
  ])('refuses %j', (argv, message) => {
    expect(refused(argv)).toContain(message)
  })

  it('names the variable when the environment is wrong, and never repeats a password', () => {
    expect(refused([], { FLIGHTDECK_PORT: 'x' })).toContain('FLIGHTDECK_PORT must be')
    expect(refused([], { FLIGHTDECK_ADMIN: 'top secret' })).not.toContain('top secret')
  })

  it.each([['--admin', 'ann:top-secret'], ['--admin=ann:top-secret']])(
    'takes no password from the command line, where everybody reads it (%s)',
    (...argv) => {
      const message = refused(argv)
      expect(message).toContain('--admin-password-file FILE')
      expect(message).toContain('FLIGHTDECK_ADMIN=LOGIN:PASSWORD')
      expect(message).not.toContain('top-secret')
    },
  )

  it('takes the password from a file, for the one that is named', () => {
    const folder = mkdtempSync(join(tmpdir(), 'flightdeck-options-'))
    const file = join(folder, 'password')
    writeFileSync(file, 'a: b=c \n')
    const words = ['--admin-password-file', file]
    expect(parseOptions(words, {}).admin).toEqual({ login: 'admin', password: 'a: b=c ' })
    expect(parseOptions([...words, '--admin', 'ann'], { FLIGHTDECK_ADMIN: 'bob:x' }).admin?.login).toBe('ann')
    expect(parseOptions(words, { FLIGHTDECK_ADMIN: 'bob:x' }).admin).toEqual({ login: 'bob', password: 'a: b=c ' })
    expect(parseOptions(['--admin', 'ann'], {}).admin).toEqual({ login: 'ann', password: undefined })
    writeFileSync(file, 'one\ntwo\n')
    expect(refused(words)).toContain('must hold one line')
    rmSync(folder, { recursive: true })
  })

  it('has a runner in Docker only with --docker, with the defaults of the table', () => {
    expect(parseOptions([], { DOCKER_HOST: 'tcp://10.0.0.7:2375' }).docker).toBeUndefined()
    expect(parseOptions(['--docker'], {}).docker).toEqual({
      socket: '/var/run/docker.sock',
      image: 'drone/drone-runner-docker:1',
      capacity: 2,
      memory: undefined,
      labels: {},
      network: undefined,
      port: 0,
    })
    const words = ['--docker', '--docker-memory', '512', '--docker-labels', 'zone=a, gpu=no', '--docker-network=ci']
    const environment = { DOCKER_HOST: 'unix:///run/user/1/docker.sock', FLIGHTDECK_DOCKER_PORT: '4711' }
    expect(parseOptions(words, environment).docker).toMatchObject({
      socket: '/run/user/1/docker.sock',
      memory: 512 * 1024 * 1024,
      labels: { zone: 'a', gpu: 'no' },
      network: 'ci',
      port: 4711,
    })
    expect(parseOptions([...words, '--docker-socket', '/a/../b'], environment).docker?.socket).toBe('/b')
  })

  it.each([
    [['--docker-capacity', '3'], '--docker-capacity requires --docker'],
    [['--docker', '--docker-labels', 'a:b=c'], '--docker-labels must look like zone=a, not "a:b=c"'],
    [['--docker', '--docker-labels', 'a'], '--docker-labels must look like zone=a, not "a"'],
    [['--docker', '--docker-image', '-x'], '--docker-image must be an image such as'],
    [['--docker', '--docker-network', 'a/b'], '--docker-network must be the name of a network, not "a/b"'],
    [['--docker', '--server', 'https://ci.example.com'], '--server: --docker can’t be combined with --server'],
    [['--docker', '--docker-memory', '5'], '--docker-memory must be a whole number from 6'],
  ])('refuses for Docker %j', (argv, message) => {
    expect(refused(argv)).toContain(message)
  })

  it('refuses a Docker that is elsewhere', () => {
    expect(refused(['--docker'], { DOCKER_HOST: 'tcp://10.0.0.7:2375' })).toBe(
      'DOCKER_HOST is tcp://10.0.0.7:2375, and only a Docker on this machine can be used: name its socket with --docker-socket',
    )
  })

  it('takes paths to expose, and how to keep steps apart', () => {
    const { expose, isolation } = parseOptions(['--expose', '/a,/b/../c', '--expose=/d', '--isolation', 'accounts'], {})
    expect([expose, isolation]).toEqual([['/a', '/c', '/d'], 'accounts'])
    expect(parseOptions(['--expose', '/a\\,b,/c', '--expose', '/d\\,'], {}).expose).toEqual(['/a,b', '/c', '/d,'])
    expect(parseOptions(['--isolation', 'auto'], {}).isolation).toBeUndefined()
  })

  it('takes the key of secrets from the environment only, and never repeats it', () => {
    const text = 'ab'.repeat(32)
    expect(parseOptions([], { FLIGHTDECK_SECRETS_KEY: text }).secretsKey?.toString('hex')).toBe(text)
    expect(refused(['secrets-key', text])).toContain('Unknown option secrets-key')
    const told = refused([`--secrets-key=${text}`])
    expect(told).toContain('Use FLIGHTDECK_SECRETS_KEY in the environment')
    expect(told).not.toContain(text)
    expect(refused([], { FLIGHTDECK_SECRETS_KEY: 'abcdef' })).toBe(
      'FLIGHTDECK_SECRETS_KEY must be 64 hexadecimal digits',
    )
    expect(optionTable()).toContain('| – | `FLIGHTDECK_SECRETS_KEY` |')
  })

  it('shows every option in the help and in the table', () => {
    for (const flag of ['--port N', '--run-as USER', '--server URL']) {
      expect(helpText()).toContain(flag)
      expect(optionTable()).toContain(`\`${flag}\``)
    }
  })

  it('lists the commands beside the server', () => {
    for (const name of ['backup', 'restore', 'compact']) expect(helpText()).toContain(`npm start -- ${name} `)
  })

  it('shows no Markdown in the help', () => {
    expect(helpText()).not.toContain('`')
  })
})

describe('the secret of runners', () => {
  it('is never on the command line', () => {
    for (const argv of [['--rpc-secret', 'hush'], ['--rpc-secret=hush']]) {
      const message = refused(argv)
      expect(message).toContain('--rpc-secret-file')
      expect(message).toContain('FLIGHTDECK_RPC_SECRET')
      expect(message).not.toContain('hush')
    }
  })

  it('comes from a file, or from the environment', () => {
    const folder = mkdtempSync(join(tmpdir(), 'flightdeck-options-'))
    const file = join(folder, 'secret')
    writeFileSync(file, 'of the file\n')
    const environment = { FLIGHTDECK_RPC_SECRET: 'of the environment' }
    expect(parseOptions([], {}).rpcSecret).toBeUndefined()
    expect(parseOptions([], environment).rpcSecret).toBe('of the environment')
    expect(parseOptions(['--rpc-secret-file', file], environment).rpcSecret).toBe('of the file')
    expect(parseOptions([], { FLIGHTDECK_RPC_SECRET_FILE: file }).rpcSecret).toBe('of the file')
    writeFileSync(file, '\n')
    expect(refused(['--rpc-secret-file', file])).toBe(`--rpc-secret-file: ${file} is empty`)
    expect(refused(['--rpc-secret-file', join(folder, 'none')])).toMatch(/^--rpc-secret-file: ENOENT/)
    rmSync(folder, { recursive: true })
  })

  it('goes with a time of silence', () => {
    expect(parseOptions([], {}).runnerTimeout).toBe(180)
    expect(parseOptions(['--runner-timeout', '30'], {}).runnerTimeout).toBe(30)
    expect(refused(['--runner-timeout', '0'])).toContain('--runner-timeout')
  })
})

describe('one token for all in gateway mode', () => {
  const server = ['--server', 'https://drone.example.com']
  const environment = { FLIGHTDECK_SERVER_TOKEN: 'hush' }

  it.each([[['--server-token', 'hush']], [['--server-token=hush']]])('is never on the command line: %j', (argv) => {
    const message = refused([...server, ...argv])
    expect(message).toContain('--server-token-file FILE, or FLIGHTDECK_SERVER_TOKEN in the environment')
    expect(message).not.toContain('hush')
  })

  it('comes from a file, or from the environment', () => {
    const folder = mkdtempSync(join(tmpdir(), 'flightdeck-options-'))
    const file = join(folder, 'token')
    writeFileSync(file, 'of-the-file\n')
    expect(parseOptions(server, {}).serverToken).toBeNull()
    expect(parseOptions(server, environment).serverToken).toEqual({ token: 'hush', allowWrites: false })
    expect(parseOptions([...server, '--server-token-file', file, '--allow-writes'], environment).serverToken).toEqual({
      token: 'of-the-file',
      allowWrites: true,
    })
    writeFileSync(file, 'two\nlines')
    expect(refused([...server, '--server-token-file', file])).toBe('--server-token-file must hold one line, a token')
    rmSync(folder, { recursive: true })
  })

  it.each([
    [['--allow-writes'], {}, '--allow-writes requires --server-token-file or FLIGHTDECK_SERVER_TOKEN'],
    [['--share-server-token'], {}, '--share-server-token requires --server-token-file or FLIGHTDECK_SERVER_TOKEN'],
    [['--host', '0.0.0.0'], environment, '--host=0.0.0.0 lets others reach this address'],
    [['--host', '::'], environment, '--share-server-token'],
    [['--public-url', 'https://ci.example.com'], environment, '--public-url=https://ci.example.com lets others'],
    [['--allow-host', 'localhost,wall.lan'], environment, '--share-server-token'],
  ])('is for this machine only unless told otherwise, and for reading: %j', (argv, variables, words) => {
    expect(refused([...server, ...argv], variables)).toContain(words)
  })

  it.each([
    [['--host', '0.0.0.0', '--public-url', 'https://ci.example.com', '--share-server-token']],
    [['--host', '127.0.0.2']],
    [['--host', '::1']],
    [['--host', 'localhost', '--public-url', 'http://localhost:8080']],
  ])('may be with %j', (argv) => {
    expect(refused([...server, ...argv], environment)).toBe('accepted')
  })

  it('is of no use without a server', () => {
    expect(refused([], environment)).toContain('FLIGHTDECK_SERVER_TOKEN requires --server')
  })
})

describe('in gateway mode', () => {
  const server = ['--server', 'https://drone.example.com']

  it.each([
    ['--repos', '/srv/git'],
    ['--admin', 'ann'],
    ['--capacity', '2'],
    ['--run-as', 'ci'],
    ['--isolation', 'none'],
    ['--expose', '/srv'],
    ['--default-access', 'read'],
    ['--log-limit', '5'],
    ['--time-zone', 'UTC'],
    ['--runner-timeout', '30'],
  ])('%s is refused: nothing is built here', (...argv) => {
    const message = refused([...server, ...argv])
    expect(message).toContain(`${argv[0]} can’t be combined with --server`)
  })

  it('options of the environment that have no effect are reported', () => {
    const { unused } = parseOptions(server, { FLIGHTDECK_ADMIN: 'ann:secret', FLIGHTDECK_CAPACITY: '2' })
    expect(unused).toEqual(['FLIGHTDECK_ADMIN', 'FLIGHTDECK_CAPACITY'])
    expect(parseOptions([], { FLIGHTDECK_CAPACITY: '2' }).unused).toEqual([])
  })
})
