import type { Build, Repo } from '@flightdeck/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { buildsQuery, flattenBuilds } from '../../../api/queries.ts'
import { failedRead } from '../../../api/query-client.ts'
import { buildTitle } from '../../../lib/text.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { LoadingText } from '../../../ui/skeleton.tsx'
import { DeploymentDialog } from '../../dialogs/index.ts'

export interface PromoteDialogProps {
  repo: Repo
  environment: string
  open: boolean
  onClose: () => void
}

/** Only builds that have ended and were not declined can be promoted (specification §4). */
const promotable = ({ status }: Build): boolean => /^(?:success|failure|error|killed)$/.test(status)
const labelOf = (build: Build): string =>
  `#${build.number} ${buildTitle(build).slice(0, 80) || 'No message'} (${[build.target, build.status].filter(Boolean).join(', ')})`

const bestOf = (builds: readonly Build[]): Build | undefined =>
  builds.find(({ status, event }) => status === 'success' && event !== 'promote' && event !== 'rollback') ?? builds[0]

/** `initial`: selected when the dialog opened. It stays selected when newer builds arrive. */
function Choice({
  repo,
  environment,
  builds,
  initial,
  onClose,
}: Omit<PromoteDialogProps, 'open'> & { builds: readonly Build[]; initial: Build }) {
  const [build, setBuild] = useState(initial)
  return (
    <DeploymentDialog
      open
      build={{ namespace: repo.namespace, name: repo.name, number: build.number, status: build.status }}
      initial={{ action: 'promote', target: environment, parameters: [] }}
      onClose={onClose}
    >
      <SelectField
        label="Build"
        value={String(build.number)}
        options={builds.map((option) => ({ value: String(option.number), label: labelOf(option) }))}
        onChange={(number) => setBuild(builds.find((candidate) => String(candidate.number) === number) ?? build)}
        help="Its commit is deployed."
      />
    </DeploymentDialog>
  )
}

function Builds(props: Omit<PromoteDialogProps, 'open'>) {
  const { repo, environment, onClose } = props
  const query = useInfiniteQuery(buildsQuery(repo.namespace, repo.name))
  const builds = flattenBuilds(query.data?.pages ?? []).filter(promotable)
  const initial = bestOf(builds)
  if (initial) return <Choice {...props} builds={builds} initial={initial} />
  return (
    <Dialog open onClose={onClose} title={`Promote to ${environment}`}>
      {query.data && <p>No finished builds to promote.</p>}
      {!query.data && query.error && <ErrorState {...failedRead('The builds', query)} />}
      {!query.data && !query.error && <LoadingText text="Loading builds" />}
    </Dialog>
  )
}

/**
 * Promotes a build to this environment: the newest successful one, unless the user selects another.
 */
export function PromoteDialog({ open, ...props }: PromoteDialogProps) {
  return open ? <Builds {...props} /> : null
}
