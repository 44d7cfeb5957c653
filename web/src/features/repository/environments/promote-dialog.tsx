import type { Build, Repo } from '@flightdeck/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { buildsQuery, flattenBuilds } from '../../../api/queries.ts'
import { buildTitle } from '../../../lib/text.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { LoadingText } from '../../../ui/skeleton.tsx'
import { DeploymentDialog } from '../../dialogs/index.ts'

export interface PromoteDialogProps {
  repo: Repo
  environment: string
  open: boolean
  onClose: () => void
}

/** Those that are over and were not declined: nothing else can be promoted (specification §4). */
const promotable = ({ status }: Build): boolean => /^(?:success|failure|error|killed)$/.test(status)
const labelOf = (build: Build): string =>
  `#${build.number} ${buildTitle(build).slice(0, 80) || 'No message'} (${[build.target, build.status].filter(Boolean).join(', ')})`

function Choice({ repo, environment, onClose }: PromoteDialogProps) {
  const { data } = useInfiniteQuery(buildsQuery(repo.namespace, repo.name))
  const [wanted, setWanted] = useState('')
  const builds = flattenBuilds(data?.pages ?? []).filter(promotable)
  const best = builds.find(({ status, event }) => status === 'success' && event !== 'promote' && event !== 'rollback')
  const build = builds.find(({ number }) => String(number) === wanted) ?? best ?? builds[0]
  if (!data) return <LoadingText text="Loading builds" />
  if (!build) return null
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
        options={builds.map((one) => ({ value: String(one.number), label: labelOf(one) }))}
        onChange={setWanted}
        help="Its commit is deployed."
      />
    </DeploymentDialog>
  )
}

/** Promotes a build to this environment: the newest that succeeded, unless another one is chosen. */
export function PromoteDialog(props: PromoteDialogProps) {
  return props.open ? <Choice {...props} /> : null
}
