import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'

import { Duration } from './duration.tsx'

const none = '<span class="tabular-nums">–</span>'

test.each(['declined', 'killed', 'error', 'skipped'])('a %s entity without a finish has no duration', (status) => {
  for (const finished of [0, undefined])
    expect(renderToString(<Duration status={status} started={100} finished={finished} />)).toBe(none)
})

test('an entity that ran before it was declined, and has a finish, keeps its duration', () => {
  expect(renderToString(<Duration status="declined" started={100} finished={164} />)).toContain('1m 04s')
})

test.each(['running', ''])('an unfinished entity has a duration without a finish: "%s"', (status) => {
  expect(renderToString(<Duration status={status} started={100} finished={0} />)).not.toBe(none)
})
