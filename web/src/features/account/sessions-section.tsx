import type { Session } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { ownQueryOf } from '../../api/own-client.ts'
import { useAction } from '../../api/action.ts'
import { endOtherSessions, endSession } from '../../api/own-account.ts'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ListRow, RemoteList } from '../common/remote-list.tsx'
import { Section } from '../common/section.tsx'
import { agentName } from './agent-name.ts'

function SessionRow({ session }: { session: Session }) {
  const { run, pending, busy } = useAction(endSession(session.id))
  const name = agentName(session.agent)
  return (
    <ListRow
      action={
        !session.current && (
          <Button size="sm" busy={pending} disabled={busy} aria-label={`Sign out ${name}`} onClick={() => run()}>
            Sign out
          </Button>
        )
      }
    >
      <span className="min-w-0 basis-full font-medium wrap-anywhere lg:basis-56" title={session.agent}>
        {name}{' '}
        {session.current && (
          <span className="ml-1 text-sm font-medium whitespace-nowrap text-success">This browser</span>
        )}
      </span>
      <span className="flex flex-wrap gap-x-4 text-sm text-muted">
        {session.address && <span>{session.address}</span>}
        <span>
          Signed in <RelativeTime seconds={session.created} />
        </span>
        <span>
          Last seen <RelativeTime seconds={session.last_seen} />
        </span>
      </span>
    </ListRow>
  )
}

/** Browsers that are signed in to this account. */
export function SessionsSection() {
  const query = useQuery(ownQueryOf('listSessions'))
  const others = useAction(endOtherSessions)
  return (
    <Section title="Sessions" about="Browsers that are signed in to your account. Last seen is accurate to the hour.">
      <div className="max-w-4xl">
        <RemoteList query={query} what="sessions" hint="You are signed in with a token.">
          {(session) => <SessionRow key={session.id} session={session} />}
        </RemoteList>
      </div>
      {(query.data?.length ?? 0) > 1 && (
        <div>
          <Button busy={others.pending} onClick={() => others.run()}>
            Sign out everywhere else
          </Button>
        </div>
      )}
    </Section>
  )
}
