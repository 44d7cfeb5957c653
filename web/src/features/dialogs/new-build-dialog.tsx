import type { Build } from '@flightdeck/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '../../api/client.ts'
import { errorText } from '../../api/query-client.ts'
import { paths } from '../../lib/paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useNavigation } from '../../ui/navigation.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { FormFooter } from './form-footer.tsx'
import { ParamsEditor } from './params-editor.tsx'
import { useParams } from './use-params.ts'

interface RepoName {
  namespace: string
  name: string
}

const nothingStarted = 'the pipeline has nothing to run for this branch'

/** Starts a build (specification §7). The answer is `null` when the trigger was skipped (wire.md §9.2). */
const useNewBuild = ({ namespace, name }: RepoName, onDone: () => void) => {
  const queryClient = useQueryClient()
  const { navigate } = useNavigation()
  return useMutation({
    mutationFn: async (input: Parameters<typeof client.createBuild>[2]): Promise<Build> => {
      const build = await client.createBuild(namespace, name, input)
      if (!build) throw new Error(nothingStarted)
      return build
    },
    onSuccess: (build) => {
      toast.success('New build has started successfully')
      // A queued build makes no event until a runner takes it (wire.md §9.6).
      void queryClient.invalidateQueries({ queryKey: ['listBuilds', namespace, name] })
      void queryClient.invalidateQueries({ queryKey: ['listBranches', namespace, name] })
      onDone()
      if (build.number) navigate(paths.build(namespace, name, build.number))
    },
    onError: (error) => toast.error(`Unable to start a new build: ${errorText(error)}`),
  })
}

function NewBuildForm({ repo, onClose }: { repo: RepoName; onClose: () => void }) {
  const [branch, setBranch] = useState('')
  const [commit, setCommit] = useState('')
  const params = useParams()
  const { mutate, isPending, error } = useNewBuild(repo, onClose)
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ branch: branch.trim(), commit: commit.trim(), parameters: params.toSend() })
      }}
    >
      <TextField
        label="Branch"
        mono
        value={branch}
        onChange={setBranch}
        spellCheck={false}
        help="Empty: the default branch"
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
      <FormFooter action="Create" busy={isPending} error={error ? errorText(error) : undefined} onCancel={onClose} />
    </form>
  )
}

/** Specification §2 "Dialogs". It stays open, with what was typed, when the server refuses. */
export function NewBuildDialog({ repo, open, onClose }: { repo: RepoName; open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Create a New Build">
      <NewBuildForm repo={repo} onClose={onClose} />
    </Dialog>
  )
}
