import { describe, expect, it } from 'vitest'
import { minCost } from '../testing/min-cost.ts'
import { expandText, withEnvironment } from './expand.ts'

describe('expandText', () => {
  const variables = { PATH: '/bin', HOME: '/home/ann', A_1: 'one', constructor_: 'x' }
  it.each([
    ['/opt/bin:$PATH', '/opt/bin:/bin'],
    ['${HOME}/bin:$PATH', '/home/ann/bin:/bin'],
    ['$A_1.$A_1-x', 'one.one-x'],
    ['${A_1}2', 'one2'],
    ['pa$word|$NOPE|${NOPE}|', 'pa$word|$NOPE|${NOPE}|'],
    ['$constructor$toString$__proto__', '$constructor$toString$__proto__'],
    ['5$, $5 $1 $ $- ${} ${a-b} ${1} a$', '5$, $5 $1 $ $- ${} ${a-b} ${1} a$'],
    ['$$PATH $${PATH} $$ $$5', '$PATH ${PATH} $$ $$5'],
    ['', ''],
  ])('%s is %s', (text, expected) => expect(expandText(text, variables)).toBe(expected))
  it('may leave out names that are not there', () => {
    expect(expandText('/opt:$NOPE:${NOPE}:$constructor:$PATH', variables, true)).toBe('/opt::::/bin')
  })
  it('does not expand what a variable holds', () => {
    expect(expandText('$A', { A: '$B', B: 'b' })).toBe('$B')
  })
  it.each(['${', '$$'])('takes time in proportion to the text: %s', (piece) => {
    const cost = (times: number) => minCost(() => expandText(piece.repeat(times), {}))
    // Sixteen times the text; quadratic work would cost 256 times as much.
    expect(cost(800_000) / cost(50_000)).toBeLessThan(64)
  })
})

describe('withEnvironment', () => {
  const base = { PATH: '/bin', DRONE_REPO: 'acme/web' }
  const find = (name: string) => (name === 'token' ? 's$PATH' : '')
  it('sees existing variables, earlier ones, and secrets anywhere', () => {
    const set = { A: '$DRONE_REPO', B: '$A!', URL: 'https://x:$TOKEN@h', TOKEN: { from_secret: 'token' } }
    expect(withEnvironment(base, { ...set, PATH: '/opt:$PATH' }, find)).toEqual({
      PATH: '/opt:/bin',
      DRONE_REPO: 'acme/web',
      A: 'acme/web',
      B: 'acme/web!',
      TOKEN: 's$PATH',
      URL: 'https://x:s$PATH@h',
    })
    expect(base.PATH).toBe('/bin')
  })
  it('keeps unknown names, but in PATH', () => {
    expect(withEnvironment(base, { A: 'pa$word', PATH: '$GOROOT/bin:$PATH' }, find)).toMatchObject({
      A: 'pa$word',
      PATH: '/bin:/bin',
    })
  })
})
