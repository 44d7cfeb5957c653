import type { WallLink } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'

import { useAction } from '../../api/action.ts'
import { revokeWallLink } from '../../api/own-account.ts'
import { ownQueryOf } from '../../api/own-client.ts'
import { listOf } from '../../lib/text.ts'
import { confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ListRow, RemoteList } from '../common/remote-list.tsx'
import { Section } from '../common/section.tsx'
import { Expiry } from './expiry.tsx'

const confirmRevoke = (name: string) =>
  confirm({
    title: `Are you sure you want to revoke ${name}?`,
    action: 'Revoke link',
    description: 'Screens that use this link stop showing builds immediately.',
    danger: true,
  })

const maxNamed = 3
const reposOf = ({ repos }: WallLink): string => {
  if (repos.length === 0) return 'No repositories that you can read'
  const others = repos.length - maxNamed
  return listOf(others > 0 ? [...repos.slice(0, maxNamed), `${others} more`] : repos)
}

function LinkRow({ link }: { link: WallLink }) {
  const { run, busy } = useAction(revokeWallLink(link))
  const press = async () => {
    if (await confirmRevoke(link.name)) run()
  }
  return (
    <ListRow
      action={
        <IconButton label={`Revoke ${link.name}`} hint="Revoke" side="left" busy={busy} onClick={() => void press()}>
          <Trash2 className="size-4" aria-hidden="true" />
        </IconButton>
      }
    >
      <span className="min-w-0 basis-full md:basis-56">
        <span className="block font-medium wrap-anywhere">{link.name}</span>
        <span className="block text-sm text-muted wrap-anywhere">{reposOf(link)}</span>
      </span>
      <span className="flex flex-wrap gap-x-4 text-sm text-muted">
        <span>
          Last used: <RelativeTime seconds={link.last_used} />
        </span>
        <Expiry seconds={link.expires} />
      </span>
    </ListRow>
  )
}

/** The user's links to the wall. */
export function WallLinks() {
  const query = useQuery(ownQueryOf('listWallLinks'))
  return (
    <Section
      title="Wall links"
      about="Each link shows the latest builds of its repositories on a screen, without signing in."
    >
      <div className="max-w-4xl">
        <RemoteList query={query} what="links" hint="Create a link on the wall.">
          {(link) => <LinkRow key={link.id} link={link} />}
        </RemoteList>
      </div>
    </Section>
  )
}
