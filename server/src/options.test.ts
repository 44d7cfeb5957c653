import { describe, expect, it } from 'vitest'
import { helpText, optionTable, parseOptions, UsageError } from './options.ts'

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
    const options = parseOptions(['--admin', 'ann:a:b=c', '--public-url', 'https://ci.example.com/'], {})
    expect(options.admin).toEqual({ login: 'ann', password: 'a:b=c' })
    expect(options.publicUrl).toBe('https://ci.example.com')
  })

  it.each([
    [['--nope', '1'], 'Unknown option --nope'],
    [['extra'], 'Unknown option extra'],
    [['--port'], '--port needs a value'],
    [['--port', 'x'], '--port must be a whole number'],
    [['--port', '70000'], '--port must be a whole number'],
    [['--capacity', '0'], '--capacity must be a whole number from 1'],
    [['--public-url', 'ci.example.com'], '--public-url must be an address'],
    [['--public-url', 'https://ci.example.com/sub'], 'no path'],
    [['--admin', 'ann'], '--admin must be LOGIN:PASSWORD'],
    [['--admin', 'a b:c'], '--admin must be LOGIN:PASSWORD'],
    [['--server', 'https://drone.example.com'], 'not available yet'],
  ])('refuses %j', (argv, message) => {
    expect(refused(argv)).toContain(message)
  })

  it('names the variable when the environment is wrong, and never repeats a password', () => {
    expect(refused([], { FLIGHTDECK_PORT: 'x' })).toContain('FLIGHTDECK_PORT must be')
    expect(refused([], { FLIGHTDECK_ADMIN: 'top secret' })).not.toContain('top secret')
  })

  it('shows every option in the help and in the table', () => {
    for (const flag of ['--port N', '--run-as USER', '--server URL']) {
      expect(helpText()).toContain(flag)
      expect(optionTable()).toContain(`\`${flag}\``)
    }
  })
})
