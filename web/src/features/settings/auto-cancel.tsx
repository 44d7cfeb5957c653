import type { Repo } from '@flightdeck/api'

import { SwitchField } from '../../ui/switch-field.tsx'
import type { AutoCancel } from './general-fields.ts'

interface AutoCancelProps {
  /** The server's response. Servers without the fields do not have the feature. */
  repo: Repo
  draft: AutoCancel
  change: (changes: AutoCancel) => void
}

/** Switches for canceling older builds of a branch when a newer one starts. */
export function AutoCancelSwitches({ repo, draft, change }: AutoCancelProps) {
  const { auto_cancel_pushes, auto_cancel_pull_requests, auto_cancel_running } = { ...repo, ...draft }
  if (repo.auto_cancel_pushes === undefined) return null
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 font-medium">Cancel outdated builds</legend>
      <SwitchField
        label="Cancel older push builds"
        checked={auto_cancel_pushes}
        onChange={(checked) => change({ auto_cancel_pushes: checked })}
        help="A new push cancels builds of the same branch that have not started."
      />
      <SwitchField
        label="Cancel older pull-request builds"
        checked={auto_cancel_pull_requests}
        onChange={(checked) => change({ auto_cancel_pull_requests: checked })}
        help="An update cancels builds of the same pull request that have not started."
      />
      {repo.auto_cancel_running !== undefined && (
        <SwitchField
          label="Also cancel running builds"
          checked={auto_cancel_running}
          disabled={!auto_cancel_pushes && !auto_cancel_pull_requests}
          onChange={(checked) => change({ auto_cancel_running: checked })}
          help="Applies to both options above."
        />
      )}
    </fieldset>
  )
}
