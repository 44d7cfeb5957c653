import type { Repo } from '@flightdeck/api'
import { useState } from 'react'

import { filterRepos, sortRepos } from '../../lib/repo-list.ts'
import { plural } from '../../lib/text.ts'
import { Button } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/checkbox-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { maxRepos } from './address.ts'

/** The number of rows below the filter, which finds the others. */
const maxRows = 100

export interface ChooseDialogProps {
  repos: readonly Repo[]
  chosen: readonly string[]
  onChoose: (slugs: readonly string[]) => void
  onClose: () => void
}

/** Selects the repositories of the wall, which are stored in its URL. */
export function ChooseDialog({ repos, chosen, onChoose, onClose }: ChooseDialogProps) {
  const [filter, setFilter] = useState('')
  const [slugs, setSlugs] = useState(chosen)
  const found = filterRepos(sortRepos(repos), filter, false)
  const rows = [
    ...found.filter(({ slug }) => chosen.includes(slug)),
    ...found.filter(({ slug }) => !chosen.includes(slug)),
  ]
  const change = (slug: string, on: boolean): void =>
    setSlugs(on ? [...slugs, slug] : slugs.filter((other) => other !== slug))
  const tooMany = slugs.length > maxRepos
  return (
    <Dialog
      open
      onClose={onClose}
      title="Choose repositories"
      description="Your choice is part of the wall’s URL. Bookmark it, or open it on another screen."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabledReason={tooMany ? `A wall has at most ${maxRepos} repositories` : undefined}
            onClick={() => onChoose(slugs)}
          >
            {slugs.length === 0
              ? 'Show all active repositories'
              : `Show ${plural(slugs.length, 'repository', 'repositories')}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <TextField label="Filter" hideLabel type="search" placeholder="Filter" value={filter} onChange={setFilter} />
        <div className="flex max-h-96 flex-col gap-1 overflow-y-auto wrap-anywhere">
          {rows.slice(0, maxRows).map(({ slug }) => (
            <CheckboxField key={slug} label={slug} checked={slugs.includes(slug)} onChange={(on) => change(slug, on)} />
          ))}
        </div>
        {rows.length > maxRows && (
          <p className="text-sm text-muted">{`${plural(rows.length - maxRows, 'more repository', 'more repositories')}. Type to find them.`}</p>
        )}
        {rows.length === 0 && <p className="text-muted">No repositories match.</p>}
      </div>
    </Dialog>
  )
}
