/** A link to a file opens the file at the forge, in the format of each forge. */
import { expect, it } from 'vitest'
import { runBehindGateway } from '../testing/gateway-stand.ts'

const stand = runBehindGateway()
const sha = '0123456789abcdef0123456789abcdef01234567'

/** The targets of Drone's `/login` and its link; then the target of ours. */
const rows: [string, string, string, string][] = [
  [
    'GitHub',
    'https://github.com/login/oauth/authorize?client_id=x',
    `https://github.com/acme/web/commit/${sha}`,
    `https://github.com/acme/web/blob/${sha}/src/a%20b.js`,
  ],
  [
    'GitHub Enterprise',
    'https://git.example.com/login/oauth/authorize?client_id=x',
    `https://git.example.com/acme/web/commit/${sha}`,
    `https://git.example.com/acme/web/blob/${sha}/src/a%20b.js`,
  ],
  [
    'Gitea',
    'https://git.example.com/login/oauth/authorize?client_id=x&redirect_uri=y',
    `https://git.example.com/acme/web/commit/${sha}`,
    `https://git.example.com/acme/web/src/commit/${sha}/src/a%20b.js`,
  ],
  [
    'Gitea below a path',
    'https://example.com/git/login/oauth/authorize?redirect_uri=y',
    `https://example.com/git/acme/web/commit/${sha}`,
    `https://example.com/git/acme/web/src/commit/${sha}/src/a%20b.js`,
  ],
  [
    'Gogs',
    '/login/form',
    `http://gogs.example.com:3000/acme/web/commit/${sha}`,
    `http://gogs.example.com:3000/acme/web/src/${sha}/src/a%20b.js`,
  ],
  [
    'GitLab',
    'https://gitlab.example.com/oauth/authorize?client_id=x',
    `https://gitlab.example.com/group/sub/web/commit/${sha}`,
    `https://gitlab.example.com/group/sub/web/-/blob/${sha}/src/a%20b.js`,
  ],
  [
    'GitLab with a dash',
    'https://gitlab.com/oauth/authorize',
    `https://gitlab.com/acme/web/-/commit/${sha}`,
    `https://gitlab.com/acme/web/-/blob/${sha}/src/a%20b.js`,
  ],
  [
    'Bitbucket',
    'https://bitbucket.org/site/oauth2/authorize',
    `https://bitbucket.org/acme/web/commits/${sha}`,
    `https://bitbucket.org/acme/web/src/${sha}/src/a%20b.js`,
  ],
  [
    'Bitbucket Server',
    'https://stash.example.com/plugins/servlet/oauth/authorize',
    `https://stash.example.com/projects/ACME/repos/web/commits/${sha}`,
    `https://stash.example.com/projects/ACME/repos/web/browse/src/a%20b.js?at=${sha}`,
  ],
  [
    'an unknown forge',
    'https://sso.example.com/start',
    `https://git.example.com/acme/web/commit/${sha}`,
    `https://git.example.com/acme/web/commit/${sha}`,
  ],
  [
    'an address that is not a commit',
    '/login/form',
    'https://git.example.com/acme/web/releases/tag/v1',
    'https://git.example.com/acme/web/releases/tag/v1',
  ],
]

it.each(rows)('%s', async (_name, login, link, expected) => {
  stand.answer = ({ url = '' }, response) =>
    void response.writeHead(303, { Location: url.startsWith('/login') ? login : link }).end()
  const answer = await stand.request(`/link/acme/web/src/src/a%20b.js?sha=${sha}`, { redirect: 'manual' })
  expect([answer.status >= 300 && answer.status < 400, answer.headers.get('location')]).toEqual([true, expected])
})

it('links to anything else pass as they are', async () => {
  const link = `https://github.com/acme/web/commit/${sha}`
  stand.answer = (_request, response) => void response.writeHead(303, { Location: link }).end()
  for (const path of [
    `tree/refs/heads/main?sha=${sha}`,
    `commit/${sha}`,
    'src/a.js',
    'src/a.js?sha=main',
    `src/?sha=${sha}`,
  ])
    expect((await stand.request(`/link/acme/web/${path}`, { redirect: 'manual' })).headers.get('location')).toBe(link)
})
