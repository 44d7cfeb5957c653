import type { Invitation } from '@flightdeck/api'

import { invitationLink } from '../../lib/invitation-link.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { AbsoluteTime } from '../../ui/relative-time.tsx'

export interface NewInvitation extends Invitation {
  login: string
}

/** The one time that an invitation can be seen: the server keeps only the hash of its value. */
export function InvitationDialog({
  invitation,
  onClose,
}: {
  invitation: NewInvitation | undefined
  onClose: () => void
}) {
  if (!invitation) return null
  const link = invitationLink(invitation.url, location.origin)
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Invitation for ${invitation.login}`}
      description={
        <>
          Send this link to {invitation.login}. It sets the password, works once, and ends{' '}
          <AbsoluteTime seconds={invitation.expires} />. It is not shown again.
        </>
      }
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex items-center gap-2 rounded-md bg-raised py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 font-mono text-sm break-all">{link}</code>
        <CopyButton text={link} label="Copy link" copiedLabel="Copied" />
      </div>
    </Dialog>
  )
}
