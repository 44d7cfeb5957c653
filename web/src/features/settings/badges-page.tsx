import { useId, useState } from 'react'

import { serverOrigin } from '../../api/client.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { useRepo } from '../repository/index.ts'
import { badgePath, snippetsOf, type BadgeOf, type Snippet } from './badge-snippets.ts'
import type { SettingsPageProps } from './page-props.ts'
import { Section } from './section.tsx'

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
    // Badges are 75 to 91 wide and 20 high (wire.md §2.9): the place is kept until the picture is there.
    <div className="flex h-9 min-w-28 items-center self-start">
      <img
        src={`${serverOrigin()}${badgePath(badge)}`}
        alt={`Build status of ${badge.namespace}/${badge.name}`}
        height={20}
      />
    </div>
  )
}

/** Specification §2 "Repository settings", Badges. */
export function BadgesPage({ namespace, name }: SettingsPageProps) {
  const repo = useRepo(namespace, name)
  const [branch, setBranch] = useState('')
  useTitle(`Badges – ${repo.slug}`)
  const badge = { host: serverOrigin(), page: location.origin, namespace, name, branch }
  return (
    <Section title="Badges" about="The state of the last build, for a README or a dashboard.">
      <form className="flex flex-col gap-4" onSubmit={(event) => event.preventDefault()}>
        <BadgeImage badge={badge} />
        <TextField
          className="max-w-72"
          label="Branch"
          mono
          spellCheck={false}
          value={branch}
          onChange={setBranch}
          help={`Empty: ${repo.default_branch || 'the default branch'}`}
        />
      </form>
      {snippetsOf(badge).map((snippet) => (
        <SnippetBox key={snippet.syntax} snippet={snippet} />
      ))}
    </Section>
  )
}
