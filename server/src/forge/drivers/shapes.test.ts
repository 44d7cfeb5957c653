import { describe, expect, it } from 'vitest'
import { parse, repository, sha } from '../hooks/payloads.ts'
import { Json } from '../hooks/json.ts'
import { repositoryOf } from './shapes.ts'

const owner = { id: 3, login: 'team', username: 'team' }

describe('who may see a repository', () => {
  it.each([
    [{ private: false }, 'public'],
    [{ private: true }, 'private'],
    [{}, 'private'],
    // Gitea: an organization that only its members can see.
    [{ private: false, internal: true }, 'private'],
    [{ private: false, internal: true, owner: { ...owner, visibility: 'private' } }, 'private'],
    [{ private: false, internal: false, owner: { ...owner, visibility: 'private' } }, 'private'],
    // Gitea: of an organization or a person that guests do not see.
    [{ private: false, internal: false, owner: { ...owner, visibility: 'limited' } }, 'internal'],
    [{ private: true, owner: { ...owner, visibility: 'limited' } }, 'private'],
    [{ private: false, owner: { ...owner, visibility: 'public' } }, 'public'],
    // GitHub: the people of an enterprise, who are not all people of GitHub.
    [{ private: true, visibility: 'internal' }, 'private'],
    [{ private: false, visibility: 'internal' }, 'private'],
    [{ private: false, visibility: 'public' }, 'public'],
    [{ private: false, visibility: 'something new' }, 'private'],
  ] as const)('%j is %s', (said, visibility) => {
    const sent = { ...repository, private: undefined, owner, ...said }
    expect(repositoryOf(new Json(sent))?.visibility).toBe(visibility)
  })

  it.each(['limited', 'private'])('is told by a webhook: the owner is %s', (visibility) => {
    const sent = { ...repository, private: false, owner: { ...owner, visibility } }
    const event = parse('gitea', 'push', { ref: 'refs/heads/main', after: sha('b'), repository: sent })
    expect(event).toMatchObject({ repository: { private: true } })
  })
})
