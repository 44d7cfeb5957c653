import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { startBuild, type NewBuild, type RepoAddress } from '../../api/actions/builds.ts'
import { isStatus } from '../../api/query-client.ts'
import { useBranchNames } from '../../api/places.ts'
import { paths } from '../../lib/paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFooter } from '../../ui/form-footer.tsx'
import { useNavigation } from '../../browser/navigation.tsx'
import { TextField } from '../../ui/text-field.tsx'

import { ParamsEditor } from './params-editor.tsx'
import { useParams } from './use-params.ts'

/** The server only says "Not Found" (docs/api §2.4): what is not there, and what to do. */
const missing = (asked: NewBuild | undefined): string => {
  if (asked?.commit)
    return `${asked.branch || 'The default branch'} has no commit ${asked.commit}, or there is no such branch.`
  if (asked?.branch) return `There is no branch ${asked.branch}. Check how it is written, or push it first.`
  return 'The default branch has no commit yet. Push one, or name another branch.'
}

function NewBuildForm({ repo, onClose }: { repo: RepoAddress; onClose: () => void }) {
  const { navigate } = useNavigation()
  const [branch, setBranch] = useState('')
  const [commit, setCommit] = useState('')
  const params = useParams()
  const branches = useBranchNames(repo.namespace, repo.name)
  const { run, pending, busy, refusal } = useAction(startBuild(repo), ({ number }) => {
    onClose()
    navigate(paths.build(repo.namespace, repo.name, number), { came: 'follow' })
  })
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
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
        help="Empty: the default branch"
        error={isStatus(refusal?.error, 404) ? missing(refusal?.input) : undefined}
      />
      <TextField
        label="Commit"
        mono
        value={commit}
        onChange={setCommit}
        spellCheck={false}
        help="Empty: the newest of the branch"
      />
      <ParamsEditor state={params} />
      <FormFooter action="Create" pending={pending} busy={busy} refusal={refusal} onCancel={onClose} />
    </form>
  )
}

/** Specification §2 "Dialogs". It stays open, with what was typed, when the server refuses. */
export function NewBuildDialog({ repo, open, onClose }: { repo: RepoAddress; open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Create a New Build">
      <NewBuildForm repo={repo} onClose={onClose} />
    </Dialog>
  )
}
