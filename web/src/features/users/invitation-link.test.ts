import { expect, test } from 'vitest'
import { invitationLink } from './invitation-link.ts'

test('a public address stays', () => {
  expect(invitationLink('https://ci.example.com/login/invite#abc', 'http://10.0.0.7:8080')).toBe(
    'https://ci.example.com/login/invite#abc',
  )
})

test.each(['http://127.0.0.1:8080', 'http://0.0.0.0:8080', 'http://localhost', 'http://[::]:80', 'http://[::1]'])(
  '%s becomes the address of the page',
  (origin) => {
    expect(invitationLink(`${origin}/login/invite#abc`, 'http://10.0.0.7:8080')).toBe(
      'http://10.0.0.7:8080/login/invite#abc',
    )
  },
)
