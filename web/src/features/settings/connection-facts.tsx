import type { RepoConnection } from '@flightdeck/api'
import { useId, type ReactNode } from 'react'

import { client } from '../../api/client.ts'
import type { ConnectedForge } from '../../api/forge.ts'
import { rememberAddress } from '../../api/return-address.ts'
import { formatBytes } from '../../lib/bytes.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

interface FactProps {
  label: string
  children: ReactNode
}

function Fact({ label, children }: FactProps) {
  return (
    <div className="flex flex-col gap-1 border-b border-line px-4 py-3 last:border-b-0 md:flex-row md:gap-4">
      <dt className="shrink-0 text-muted md:w-36">{label}</dt>
      <dd className="flex min-w-0 flex-1 flex-col gap-1 wrap-anywhere">{children}</dd>
    </div>
  )
}

/** The error message of the server or the forge, verbatim. */
const Failure = ({ children }: { children: string }) => <p className="text-danger">{children}</p>

function Value({ label, text }: { label: string; text: string }) {
  const id = useId()
  return (
    <div className="flex items-center gap-3 py-1">
      <span className="w-20 shrink-0 text-sm text-muted">{label}</span>
      <code id={id} className="min-w-0 flex-1 font-mono text-sm break-all">
        {text}
      </code>
      <CopyButton textId={id} text={text} label={`Copy ${label}`} copiedLabel="Copied!" />
    </div>
  )
}

function ByHand({ hook, forge }: { hook: NonNullable<RepoConnection['hook']['manual']>; forge: ConnectedForge }) {
  return (
    <>
      <p>Add a webhook with these values on {forge.title}:</p>
      <div>
        <Value label="URL" text={hook.url} />
        <Value label="Secret" text={hook.secret} />
        <Value label="Type" text={hook.content_type} />
      </div>
      <p>Events: {hook.events.join(', ')}</p>
      {hook.page.startsWith(`${forge.url}/`) && (
        <div>
          <LinkButton external href={hook.page} target="_blank" rel="noreferrer" size="sm">
            Add webhook on {forge.title}
          </LinkButton>
        </div>
      )}
    </>
  )
}

const hookWords = {
  installed: 'Installed.',
  none: 'Not installed.',
  manual: 'Could not be installed.',
}

interface ConnectionProps {
  connection: RepoConnection
  forge: ConnectedForge
}

function Webhook({ connection: { hook }, forge }: ConnectionProps) {
  return (
    <Fact label="Webhook">
      <p>
        {hookWords[hook.state]} Last delivery: <RelativeTime seconds={hook.seen} />
      </p>
      {hook.error && <Failure>{hook.error}</Failure>}
      {hook.state === 'manual' && hook.manual && <ByHand hook={hook.manual} forge={forge} />}
    </Fact>
  )
}

function Account({ connection, forge }: ConnectionProps) {
  return (
    <Fact label="Account">
      {connection.acts_as ? (
        <p>
          Flightdeck uses the {forge.title} account of {connection.acts_as}.
        </p>
      ) : (
        <>
          <p className="text-warning">
            Flightdeck has no working {forge.title} account for this repository. Sign in again as an administrator of
            the repository.
          </p>
          <div>
            <LinkButton
              external
              href={client.url('/login')}
              variant="primary"
              size="sm"
              onClick={() => rememberAddress(location.pathname)}
            >
              Connect again
            </LinkButton>
          </div>
        </>
      )}
    </Fact>
  )
}

/** The state of each part of the connection, with what to do about parts that do not work. */
export function ConnectionFacts({ connection, forge }: ConnectionProps) {
  const { mirror, status_error: statusError } = connection
  return (
    <dl className="rounded-lg border border-line bg-surface">
      <Account connection={connection} forge={forge} />
      <Webhook connection={connection} forge={forge} />
      <Fact label="Mirror">
        <p>
          {mirror.fetched > 0 && `${formatBytes(mirror.bytes)}. `}Last fetch: <RelativeTime seconds={mirror.fetched} />
        </p>
        {mirror.error && <Failure>{mirror.error}</Failure>}
      </Fact>
      {statusError && (
        <Fact label="Commit status">
          <p>The last commit status could not be sent. Flightdeck will try again.</p>
          <Failure>{statusError}</Failure>
        </Fact>
      )}
    </dl>
  )
}
