import type { Repo } from '@flightdeck/api'
import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { saveRepo } from '../../api/actions/repository.ts'
import { useMe } from '../../api/session.ts'
import { useStore } from '../../browser/store.ts'
import { draftsOf } from './drafts.ts'
import { timeoutChoices, timeoutOrDefault } from './timeouts.ts'
import { isVisibility, visibilities } from './visibility.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroupField } from '../../ui/radio-group-field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AutoCancelSwitches } from './auto-cancel.tsx'
import { fieldsOf, notTaken, typedSince, type GeneralFields } from './general-fields.ts'

interface PartProps {
  fields: GeneralFields
  change: (changes: Partial<GeneralFields>) => void
}

function Switches({ fields, change }: PartProps) {
  const user = useMe()
  return (
    <div className="flex flex-col gap-4">
      <SwitchField
        label="Ignore pull requests"
        checked={fields.ignore_pull_requests}
        onChange={(checked) => change({ ignore_pull_requests: checked })}
        help="Don’t build pull requests."
      />
      <SwitchField
        label="Ignore forks"
        checked={fields.ignore_forks}
        onChange={(checked) => change({ ignore_forks: checked })}
        help="Don’t build pull requests from forks."
      />
      {user?.admin && (
        <>
          <SwitchField
            label="Protected"
            checked={fields.protected}
            onChange={(checked) => change({ protected: checked })}
            help="Builds wait for approval unless the pipeline file is signed."
          />
          <SwitchField
            label="Trusted"
            checked={fields.trusted}
            onChange={(checked) => change({ trusted: checked })}
            help="Pipelines can use privileged features, such as host volumes."
          />
        </>
      )}
    </div>
  )
}

function Choices({ fields, change, timeout }: PartProps & { timeout: number }) {
  return (
    <>
      <div className="flex flex-col gap-1">
        <RadioGroupField
          label="Visibility"
          value={fields.visibility}
          options={visibilities.map(({ value, label }) => ({ value, label }))}
          onChange={(value) => isVisibility(value) && change({ visibility: value })}
        />
        <p className="text-sm text-muted">{visibilities.find(({ value }) => value === fields.visibility)?.help}</p>
      </div>
      <SelectField
        className="max-w-72"
        label="Timeout"
        value={String(fields.timeout)}
        options={timeoutChoices(timeout)}
        onChange={(value) => change({ timeout: Number(value) })}
        help="Builds that run longer are stopped."
      />
      <TextField
        className="max-w-110"
        label="Configuration"
        mono
        spellCheck={false}
        value={fields.config_path}
        onChange={(value) => change({ config_path: value })}
        help="Path of the pipeline file in the repository."
      />
    </>
  )
}

const drafts = draftsOf<Partial<GeneralFields>>({})

interface GeneralFormProps {
  repo: Repo
  /** The id of the sentence that says why this user cannot change anything here. */
  lockedBy: string | undefined
}

/**
 * Edited fields keep the user's input; all others follow the repository, even if another user
 * changes it.
 */
export function GeneralForm({ repo, lockedBy }: GeneralFormProps) {
  const drafted = drafts(repo.slug)
  const draft = useStore(drafted)
  const [isFromBefore] = useState(() => Object.keys(draft).length > 0)
  const [dropped, setDropped] = useState<string[]>([])
  const fields = { ...fieldsOf(repo), ...draft }
  const save = saveRepo<GeneralFields>(repo)
  // Runs even if the user has left the page: saved values are no longer a draft.
  const updateSettings: typeof save.updateCache = (answer, sent) => {
    save.updateCache?.(answer, sent)
    drafted.set(typedSince(drafted.get(), sent))
  }
  const { run, pending, busy, refusal } = useAction({ ...save, updateCache: updateSettings }, (answer, sent) =>
    setDropped(notTaken(sent, answer)),
  )
  const change = (changes: Partial<GeneralFields>) => drafted.set({ ...drafted.get(), ...changes })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setDropped([])
        run({ ...fields, config_path: fields.config_path.trim() })
      }}
    >
      <fieldset
        aria-label="General settings"
        aria-describedby={lockedBy}
        disabled={lockedBy !== undefined}
        className="flex min-w-0 flex-col gap-6"
      >
        <Switches fields={fields} change={change} />
        <AutoCancelSwitches repo={repo} draft={draft} change={change} />
        <Choices fields={fields} change={change} timeout={timeoutOrDefault(repo.timeout)} />
        {dropped.length > 0 && (
          <p className="rounded-md bg-warning-soft px-3 py-2">
            {dropped.join(', ')} {dropped.length === 1 ? 'was' : 'were'} not changed: only system administrators can
            change {dropped.length === 1 ? 'it' : 'them'}.
          </p>
        )}
        {refusal?.unreached && (
          <p data-error className="rounded-md border-l-3 border-danger bg-danger-soft px-3 py-2 text-danger">
            The server could not be reached. Check your connection, then save again. Your changes are still here.
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary" busy={pending} disabled={busy}>
            Save
          </Button>
          {isFromBefore && Object.keys(draft).length > 0 && (
            <>
              <Button onClick={() => drafted.set({})}>Discard</Button>
              <p className="text-sm text-muted">You have unsaved changes.</p>
            </>
          )}
        </div>
      </fieldset>
    </form>
  )
}
