/** Creates and checks links to the wall. The value is shown once; the database stores its hash. */
import type { CreatedWallLink, User } from '@flightdeck/api'
import { Refusal } from '../lib/refusal.ts'
import { inTransaction, type Db } from '../store/open.ts'
import {
  createWallLink,
  findWallLink,
  listWallLinks,
  readableBySlugs,
  readableOf,
  type GoodWallLink,
} from '../store/wall-links.ts'
import { hashOfToken, newToken } from './sessions.ts'

/** Secret scanners recognize a link by its prefix. */
const prefix = 'fdw_'
const maxNameLength = 100
const maxLinks = 100
const maxRepos = 100

interface WallLinkInput {
  name: string
  /** Unix seconds; 0: never. */
  expires: number
  /** Slugs. */
  repos: readonly string[]
}

function checkInput({ name, expires, repos }: WallLinkInput, now: number): void {
  if (name === '') throw new Refusal(400, 'A name is required')
  if (name.length > maxNameLength || /\p{Cc}/u.test(name))
    throw new Refusal(400, `The name can have at most ${maxNameLength} characters, on one line`)
  if (expires !== 0 && expires <= now) throw new Refusal(400, 'The expiry must be in the future')
  if (repos.length === 0) throw new Refusal(400, 'Choose at least one repository')
  if (repos.length > maxRepos) throw new Refusal(400, `A link can show at most ${maxRepos} repositories`)
}

/**
 * Creates a link and returns it with its value. Refuses a used name, and a repository that the user
 * cannot read.
 */
export async function createNamedWallLink(
  db: Db,
  user: User,
  given: WallLinkInput,
  now: number,
): Promise<CreatedWallLink> {
  const name = given.name.trim()
  const repos = [...new Set(given.repos)]
  const { expires } = given
  checkInput({ name, expires, repos }, now)
  const token = prefix + newToken()
  return inTransaction(db, async (tx) => {
    const links = await listWallLinks(tx, user)
    if (links.length >= maxLinks) throw new Refusal(400, `You have ${maxLinks} links: revoke one first`)
    if (links.some((other) => other.name.toLowerCase() === name.toLowerCase()))
      throw new Refusal(409, `You already have a link named ${name}`)
    const repoIds = await readableBySlugs(tx, user, repos)
    // Do not name the repository: that would reveal whether it exists.
    if (repoIds.length < repos.length) throw new Refusal(400, 'You do not have access to all of these repositories')
    const hash = hashOfToken(token)
    const created = await createWallLink(tx, user, { userId: user.id, hash, name, repoIds, created: now, expires })
    return { ...created, token }
  })
}

/**
 * The repositories that the link's creator can read now; `null` if the link is invalid, or there
 * are none.
 */
async function withReadable(db: Db, link: GoodWallLink | null): Promise<GoodWallLink | null> {
  const repoIds = link ? await readableOf(db, link.user, link.repoIds) : []
  return link && repoIds.length > 0 ? { ...link, repoIds } : null
}

/** The link with this value. */
export const linkOfToken = async (db: Db, token: string, now: number): Promise<GoodWallLink | null> =>
  token.startsWith(prefix) ? withReadable(db, await findWallLink(db, { hash: hashOfToken(token) }, now)) : null

export const linkOfId = async (db: Db, id: number, now: number): Promise<GoodWallLink | null> =>
  withReadable(db, await findWallLink(db, { id }, now))
