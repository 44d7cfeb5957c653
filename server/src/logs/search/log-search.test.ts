import { expect, it } from 'vitest'
import { createLogSearch } from './log-search.ts'

it('a search whose thread cannot be started makes room for the next one', async () => {
  // Node refuses such a path at once, as it does where no thread can be had.
  const search = createLogSearch({ script: 'no path', pathOf: String })
  const query = { text: 'a', matchCase: false, word: false, pattern: false }
  const { signal } = new AbortController()
  for (const name of ['ann', 'bob', 'cem', 'dot'])
    await expect(search({ name, isGuest: false }, query, signal)).rejects.toThrow('no path')
})
