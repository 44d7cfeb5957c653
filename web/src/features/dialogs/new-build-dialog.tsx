import type { Build } from '@flightdeck/api'
import { useId, useState } from 'react'

import { useAction } from '../../api/action.ts'
import { startBuild, type NewBuild, type RepoAddress } from '../../api/actions/builds.ts'
import { isStatus } from '../../api/query-client.ts'
import { useBranchNames } from '../../api/name-suggestions.ts'
import { paths } from '../../lib/paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFooter } from '../../ui/form-footer.tsx'
import { useNavigation } from '../../browser/navigation.tsx'
import { TextField } from '../../ui/text-field.tsx'

import { differences, originOf, type Origin } from './differences.ts'
import type { NewBuildRequest } from './new-build-request.ts'
import type { Param } from './params.ts'
import { ParamsEditor } from './params-editor.tsx'
import { useParams } from './use-params.ts'

/** The server only says "Not Found" (docs/api §2.4): says what is missing, and what to do. */
const missing = (request: NewBuild | undefined): string => {
  if (request?.commit)
    return `Commit ${request.commit} is not on ${request.branch || 'the default branch'}, or the branch does not exist.`
  if (request?.branch) return `Branch ${request.branch} does not exist. Check the spelling, or push it first.`
  return 'The default branch has no commits yet. Push one, or choose another branch.'
}

/** The query keys of the call that are not parameters of the build (docs/api §2.4). */
const taken = ['branch', 'commit']

/** The differences from the build that it is made from, updated while typing. */
function Differences({ from, to }: { from: Origin; to: Parameters<typeof differences>[1] }) {
  const all = differences(from, to)
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-md border border-line bg-raised px-3 py-2 text-sm">
      <h3 id={id} className="font-medium">
        {all.length === 0 ? `Same as #${from.number}` : `Changes from #${from.number}`}
      </h3>
      {all.length > 0 && (
        <dl className="mt-1 grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] gap-x-4 gap-y-0.5">
          {all.map(({ what, before, after }) => (
            <div key={what} className="contents">
              <dt className="break-words text-muted">{what}</dt>
              <dd className="font-mono break-words">
                <bdi>{before}</bdi> <span aria-label="becomes">→</span> <bdi>{after}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

/** The build's commit, unless the URL requests another branch. */
const commitToKeep = (from: Origin | undefined, { branch }: NewBuildRequest): string =>
  from && (branch === '' || branch === from.branch) ? from.commit : ''

/** The parameters of the build; those in the URL override them by name. */
const paramsOf = (from: Origin | undefined, initial: NewBuildRequest | undefined): readonly Param[] | undefined => {
  if (!from || !initial) return from?.params ?? initial?.parameters
  const overridden = new Set(initial.parameters.map(({ key }) => key))
  return [...from.params.filter(({ key }) => !overridden.has(key)), ...initial.parameters]
}

interface FormProps {
  repo: RepoAddress
  /** The build that it is made from. */
  from: Origin | undefined
  initial: NewBuildRequest | undefined
  onClose: () => void
}

function NewBuildForm({ repo, from, initial, onClose }: FormProps) {
  const { navigate } = useNavigation()
  // The URL takes precedence over the build.
  const [branch, setBranch] = useState(initial?.branch || (from?.branch ?? ''))
  const [commit, setCommit] = useState(initial ? initial.commit || commitToKeep(from, initial) : (from?.commit ?? ''))
  const params = useParams(taken, paramsOf(from, initial))
  const branches = useBranchNames(repo.namespace, repo.name)
  const { run, pending, busy, refusal } = useAction(startBuild(repo), ({ number }) => {
    onClose()
    navigate(paths.build(repo.namespace, repo.name, number), { via: 'follow' })
  })
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (params.refuses(event.currentTarget)) return
        run({ branch: branch.trim(), commit: commit.trim(), parameters: params.toSend() })
      }}
    >
      <TextField
        label="Branch"
        mono
        value={branch}
        onChange={setBranch}
        choices={branches}
        spellCheck={false}
        help="Leave empty for the default branch."
        error={isStatus(refusal?.error, 404) ? missing(refusal?.input) : undefined}
      />
      <TextField
        label="Commit"
        mono
        value={commit}
        onChange={setCommit}
        spellCheck={false}
        help="Leave empty for the latest commit."
      />
      <ParamsEditor state={params} />
      {from && <Differences from={from} to={{ branch, commit, params: params.params, typed: params.typed }} />}
      <FormFooter
        action={from ? 'Start' : 'Create'}
        pending={pending}
        busy={busy}
        refusal={refusal}
        onCancel={onClose}
      />
    </form>
  )
}

/** Specification §2 "Dialogs". It stays open, with the typed text, if the server refuses. */
export function NewBuildDialog({
  repo,
  build,
  initial,
  open,
  onClose,
}: {
  repo: RepoAddress
  /** Its branch, commit and parameters are the initial values. */
  build?: Build
  /** The values requested by the URL. */
  initial?: NewBuildRequest | undefined
  open: boolean
  onClose: () => void
}) {
  const title = build ? `Restart #${build.number} with changes` : 'Create a New Build'
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <NewBuildForm repo={repo} from={build && originOf(build)} initial={initial} onClose={onClose} />
    </Dialog>
  )
}
