import type { Repo } from '@flightdeck/api'
import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { activateSeveral } from '../../api/actions/activate-several.ts'
import { filterRepos } from '../../lib/repo-list.ts'
import { CheckboxField } from '../../ui/checkbox-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFooter } from '../../ui/form-footer.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** The filter finds the others. */
const maxShown = 100

const actionText = (n: number): string =>
  n === 0 ? 'Activate' : n === 1 ? 'Activate 1 repository' : `Activate ${n} repositories`

function Choices({
  shown,
  chosen,
  failed,
  onChoose,
}: {
  shown: readonly Repo[]
  chosen: ReadonlySet<string>
  /** Reasons, by slug. */
  failed: ReadonlyMap<string, string>
  onChoose: (slugs: readonly string[], isChosen: boolean) => void
}) {
  const slugs = shown.map(({ slug }) => slug)
  return (
    <fieldset className="flex max-h-80 flex-col gap-2 overflow-y-auto rounded-md border border-line p-3">
      <legend className="sr-only">Repositories</legend>
      <CheckboxField
        label={`Select all ${shown.length}`}
        checked={slugs.every((slug) => chosen.has(slug))}
        onChange={(isChosen) => onChoose(slugs, isChosen)}
      />
      {slugs.map((slug) => (
        <CheckboxField
          key={slug}
          label={slug}
          checked={chosen.has(slug)}
          onChange={(isChosen) => onChoose([slug], isChosen)}
          help={failed.get(slug)}
        />
      ))}
    </fieldset>
  )
}

/**
 * Selects inactive repositories and activates them together. Those that fail stay in the list, with
 * the reason.
 */
export function ActivateDialog({ repos, onClose }: { repos: readonly Repo[]; onClose: () => void }) {
  const [filter, setFilter] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [failed, setFailed] = useState<ReadonlyMap<string, string>>(new Map())
  const { run, pending, busy, refusal } = useAction(activateSeveral, (answer) => {
    setFailed(answer.failed)
    setChosen(new Set(answer.failed.keys()))
    if (answer.failed.size === 0) onClose()
  })
  const found = filterRepos(repos, filter, false)
  const shown = found.slice(0, maxShown)
  const requested = repos.filter(({ slug }) => chosen.has(slug))
  const choose = (slugs: readonly string[], isWanted: boolean) => {
    const next = new Set(chosen)
    for (const slug of slugs) {
      if (isWanted) next.add(slug)
      else next.delete(slug)
    }
    setChosen(next)
  }
  return (
    <Dialog
      open
      title="Activate repositories"
      description="New commits and tags in these repositories will start builds."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (requested.length > 0) run(requested)
        }}
      >
        <TextField label="Filter" value={filter} onChange={setFilter} spellCheck={false} />
        {shown.length > 0 ? (
          <Choices shown={shown} chosen={chosen} failed={failed} onChoose={choose} />
        ) : (
          <p className="text-muted">No inactive repositories match.</p>
        )}
        {found.length > shown.length && (
          <p className="text-sm text-muted">{`${found.length - shown.length} more. Refine the filter.`}</p>
        )}
        <FormFooter
          action={actionText(requested.length)}
          pending={pending}
          busy={busy || requested.length === 0}
          refusal={refusal}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
