import { expect, it } from 'vitest'
import { startCommand } from './start-command.ts'

it('repeats the start command with further arguments', () => {
  expect(startCommand([], '--docker')).toBe('npm start -- --docker')
  expect(startCommand(['--repos', '/srv/my repos', '--port=80', "--expose=it's"], '--docker')).toBe(
    `npm start -- --repos '/srv/my repos' --port=80 '--expose=it'\\''s' --docker`,
  )
})
