import { fail, signedOut } from '../../support/screens.ts'
import { type State } from './state.ts'

/** States without an account or without a server. */
export const signedOutStates: State[] = [
  { name: 'server-away', path: '/', play: (host) => host.on('GET /api/user', fail(502, 'Bad Gateway')) },
  { name: 'signed-out', path: '/octocat/hello', play: (host) => signedOut(host) },
]
