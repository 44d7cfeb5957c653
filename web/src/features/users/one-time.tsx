import type { Invitation } from '@flightdeck/api'

import { invitationLink } from './invitation-link.ts'
import { showOnce } from './one-time-values.ts'
import { AbsoluteTime } from '../../ui/relative-time.tsx'

/** docs/api §1.2: only the response that creates a machine user has the token. */
export const showToken = (login: string, token: string): void =>
  showOnce({
    title: `Token of ${login}`,
    description: 'Copy it now. You won’t be able to see it again.',
    value: token,
    copyLabel: 'Copy token',
  })

/** The server stores only the hash of the link's value. */
export const showInvitation = (login: string, { url, expires }: Invitation): void =>
  showOnce({
    title: `Invitation for ${login}`,
    description: (
      <>
        Send this link to {login} to set a password. It works once and expires on <AbsoluteTime seconds={expires} />.
        You won’t be able to see it again.
      </>
    ),
    value: invitationLink(url, location.origin),
    copyLabel: 'Copy link',
  })
