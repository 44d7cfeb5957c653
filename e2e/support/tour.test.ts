/** Checks that the tests that visit all pages, and the pictures, include every page. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ownScreens, screens } from './tour.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const addresses = [...read('../../web/src/app/routes.tsx').matchAll(/\broute\(\s*'([^']+)',\s*([^\n]+)/g)]
  .filter(([, , row = '']) => !row.includes('<Redirect'))
  .map(([, address = '']) => address)
const pictures = [...read('../pictures/pictures.shots.ts').matchAll(/\bpath: '([^'#]+)/g)].map(([, path = '']) => path)

/**
 * The route of a path. Names and numbers match any parameter; a literal route is before one with a
 * parameter.
 */
function leadsTo(path: string): string | undefined {
  const parts = path.split('/')
  return addresses.find((address) => {
    const pattern = address.split('/')
    const minParts = pattern.filter((part) => !part.endsWith('?')).length
    if (parts.length < minParts || parts.length > pattern.length) return false
    return parts.every((part, index) => pattern[index]?.startsWith(':') || pattern[index] === part)
  })
}

it('reads the URL map', () => expect(addresses.length).toBeGreaterThan(15))

it.each(addresses)('%s is in the tour', (address) => {
  const visited = [...screens, ...ownScreens].map(({ path }) => leadsTo(path.replace(/#.*/, '')))
  expect(visited, `add ${address} to the list in e2e/support/tour.ts`).toContain(address)
})

it.each(addresses)('%s has its pictures', (address) => {
  expect(pictures.map(leadsTo), `add ${address} to the list in e2e/pictures/pictures.shots.ts`).toContain(address)
})
