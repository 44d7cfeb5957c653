import { buildEvents, type Repo } from '@flightdeck/api'
import { useId, useState } from 'react'

import { useAction } from '../../api/action.ts'
import { saveRepo } from '../../api/actions/repository.ts'
import { useCapability } from '../../api/capabilities.ts'
import { serverOrigin } from '../../api/client.ts'
import { canAdminister, useMe } from '../../api/session.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { useRepo } from '../../api/use-repo.ts'
import { badgePath, snippetsOf, type BadgeOf, type Snippet } from './badge-snippets.ts'
import type { SettingsPageProps } from './page-props.ts'
import { Section } from '../common/section.tsx'

function SnippetBox({ snippet }: { snippet: Snippet }) {
  const id = useId()
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="flex h-10 items-center justify-between border-b border-line pr-1.5 pl-3 touch:h-13">
        <h3 className="text-sm font-medium">{snippet.syntax}</h3>
        <CopyButton textId={id} text={snippet.text} label={`Copy ${snippet.syntax}`} copiedLabel="Copied!" />
      </div>
      <pre id={id} className="px-3 py-2 font-mono text-sm break-all whitespace-pre-wrap">
        {snippet.text}
      </pre>
    </div>
  )
}

function BadgeImage({ badge }: { badge: BadgeOf }) {
  return (
    // Badges are 75 to 91 px wide and 20 high (docs/api §2.9): reserves the space until the image
    // has loaded.
    <div className="flex h-9 min-w-28 items-center self-start">
      <img
        src={`${serverOrigin()}${badgePath(badge)}`}
        alt={`Build status of ${badge.namespace}/${badge.name}`}
        height={20}
      />
    </div>
  )
}

const openTo = {
  private: 'Currently, people without access see a badge that says “none”.',
  internal: 'Currently, people who are not signed in see a badge that says “none”.',
}

/**
 * Only if the server reports that it hides badges; users who can read a public repository always
 * see its badge.
 */
function Visibility({ repo }: { repo: Repo }) {
  const me = useMe()
  const { run, busy } = useAction(saveRepo({ namespace: repo.namespace, name: repo.name }))
  const { public_badge: isOpen, visibility } = repo
  if (isOpen === undefined || visibility === 'public' || !canAdminister(me, repo)) return null
  return (
    <SwitchField
      label="Make the badge public"
      checked={isOpen}
      disabled={busy}
      onChange={(open) => run({ public_badge: open })}
      help={
        isOpen ? 'Anyone with the URL can see the status of the latest build, and nothing else.' : openTo[visibility]
      }
    />
  )
}

const eventOptions = [
  { value: '', label: 'Any event' },
  ...buildEvents.map((event) => ({ value: event, label: event.replaceAll('_', ' ') })),
]

/** Specification §2 "Repository settings", Badges. */
export function BadgesPage({ namespace, name }: SettingsPageProps) {
  const repo = useRepo(namespace, name)
  const [branch, setBranch] = useState('')
  const [event, setEvent] = useState('')
  const [stage, setStage] = useState('')
  const hasFilters = useCapability('badge_filters')
  useTitle(`Badges – ${repo.slug}`)
  const badge = { host: serverOrigin(), page: location.origin, namespace, name, branch, event, stage }
  return (
    <Section title="Badges" about="Show the latest build status in a README or dashboard.">
      <form className="flex flex-col gap-4" onSubmit={(event) => event.preventDefault()}>
        <BadgeImage badge={badge} />
        <Visibility repo={repo} />
        <TextField
          className="max-w-72"
          label="Branch"
          mono
          spellCheck={false}
          value={branch}
          onChange={setBranch}
          help={`Defaults to ${event === '' ? repo.default_branch || 'the default branch' : 'any branch'}.${hasFilters ? ' Use * to match any characters, as in release/*.' : ''}`}
        />
        {hasFilters && (
          <>
            <SelectField className="max-w-72" label="Event" value={event} options={eventOptions} onChange={setEvent} />
            <TextField
              className="max-w-72"
              label="Stage"
              spellCheck={false}
              value={stage}
              onChange={setStage}
              help="Defaults to the whole build."
            />
          </>
        )}
      </form>
      {snippetsOf(badge).map((snippet) => (
        <SnippetBox key={snippet.syntax} snippet={snippet} />
      ))}
    </Section>
  )
}
