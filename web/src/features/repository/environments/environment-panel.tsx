import { isDone, type Build, type EnvironmentRule, type Repo } from '@flightdeck/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useState, type ReactNode } from 'react'

import { useCapability } from '../../../api/capabilities.ts'
import { environmentQuery } from '../../../api/environments.ts'
import { moreOf } from '../../../api/more-of.ts'
import { failedRead } from '../../../api/query-client.ts'
import { buildsQuery, flattenBuilds } from '../../../api/queries.ts'
import { canAdminister, canWrite, useMe } from '../../../api/session.ts'
import { paths } from '../../../lib/paths.ts'
import { buildTitle } from '../../../lib/text.ts'
import { Button } from '../../../ui/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import type { More } from '../../../ui/show-more.tsx'
import { LoadingText } from '../../../ui/skeleton.tsx'
import { DeploymentDialog } from '../../dialogs/index.ts'
import { shortHash } from '../../events/index.ts'
import { DeploymentHistory } from './deployment-history.tsx'
import { Differences } from './differences.tsx'
import { PromoteDialog } from './promote-dialog.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { deployedBy, ruleWords } from './words.ts'

export interface EnvironmentPanelProps {
  repo: Repo
  environment: string
  /** The newest deployment of each environment; events update them. */
  latest: readonly Build[]
}

/** One environment, from Flightdeck's API or derived from loaded builds. */
interface Known {
  current: Build | undefined
  head: { branch: string; sha: string } | undefined
  items: readonly Build[]
  more: More
  rule: EnvironmentRule | undefined
  mayDeploy: boolean
}

interface BodyProps extends EnvironmentPanelProps {
  known: Known
  /** Only Flightdeck compares commits. */
  own: boolean
}

/** The current deployment, and the last one if it is different. */
function Now({ repo, current, last }: { repo: Repo; current: Build | undefined; last: Build | undefined }) {
  const isOther = last && last.number !== current?.number
  return (
    <>
      {current ? (
        <p className="flex min-w-0 flex-wrap items-center gap-x-2">
          <span>Now:</span>
          <Chip>{shortHash(current.after)}</Chip>
          <bdi className="min-w-0 truncate font-medium">{buildTitle(current) || 'No message'}</bdi>
          <span className="text-muted">
            {deployedBy(current)} in{' '}
            <Link href={paths.build(repo.namespace, repo.name, current.number)} className="text-accent underline">
              #{current.number}
            </Link>
            , <RelativeTime seconds={current.finished || current.created} />
          </span>
        </p>
      ) : (
        <p>No deployment to this environment has succeeded yet.</p>
      )}
      {isOther && (
        <p className={isDone(last.status) ? 'text-danger' : 'text-warning'}>
          {isDone(last.status)
            ? `The last deployment, #${last.number}, did not succeed (${last.status.replaceAll('_', ' ')}).`
            : `Deployment #${last.number} is in progress (${last.status.replaceAll('_', ' ')}).`}
          {current && ` The environment still has the commit of #${current.number}.`}
        </p>
      )}
    </>
  )
}

interface ProtectProps {
  repo: Repo
  environment: string
  rule: EnvironmentRule | undefined
}

function ProtectButton({ repo, environment, rule }: ProtectProps) {
  const [open, setOpen] = useState(false)
  if (!canAdminister(useMe(), repo)) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{rule ? 'Edit protection' : 'Protect'}</Button>
      <RuleDialog repo={repo} environment={environment} rule={rule} open={open} onClose={() => setOpen(false)} />
    </>
  )
}

function Body({ repo, environment, latest, known, own }: BodyProps) {
  const { current, head, items, more, rule, mayDeploy } = known
  const [promoting, setPromoting] = useState(false)
  const [chosen, setChosen] = useState<Build>()
  const mayWrite = canWrite(useMe(), repo)
  const refused = mayDeploy ? undefined : rule ? ruleWords(rule) : 'You need write permission to deploy.'
  const others = latest.filter(({ deploy_to: name }) => name && name !== environment)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="flex min-w-0 flex-col gap-1">
          <Now repo={repo} current={current} last={items[0]} />
          {own && rule && (
            <p className="flex gap-1.5 text-sm text-muted">
              <Lock className="mt-0.5 size-3.5 shrink-0" aria-hidden="true" />
              <span className="min-w-0 wrap-anywhere">{ruleWords(rule)}</span>
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {mayWrite && (
            <Button variant="primary" disabledReason={refused} onClick={() => setPromoting(true)}>
              Promote here
            </Button>
          )}
          {own && <ProtectButton repo={repo} environment={environment} rule={rule} />}
        </div>
      </div>
      <div className="grid gap-6 lg:grid-cols-2">
        <DeploymentHistory
          repo={repo}
          environment={environment}
          builds={items}
          current={current}
          more={more}
          refused={refused}
          onRollBack={mayWrite ? setChosen : undefined}
        />
        {current && own && (
          <Differences repo={repo} environment={environment} current={current} head={head} others={others} />
        )}
        {!own && (
          <p className="text-sm text-muted">
            This server can’t compare commits. Only deployments among the loaded builds are shown.
          </p>
        )}
      </div>
      <PromoteDialog repo={repo} environment={environment} open={promoting} onClose={() => setPromoting(false)} />
      {chosen && (
        <DeploymentDialog
          open
          build={{ namespace: repo.namespace, name: repo.name, number: chosen.number, status: chosen.status }}
          initial={{ action: 'rollback', target: environment, parameters: [] }}
          onClose={() => setChosen(undefined)}
        />
      )}
    </div>
  )
}

function FromServer(props: EnvironmentPanelProps) {
  const { repo, environment, latest } = props
  const version = latest.find(({ deploy_to: name }) => name === environment)?.version ?? 0
  const query = useInfiniteQuery(environmentQuery(repo, environment, version))
  if (!query.data && query.error) return <ErrorState {...failedRead('The environment', query)} />
  const [first] = query.data?.pages ?? []
  if (!query.data || !first) return <LoadingText text="Loading the environment" />
  const known: Known = {
    current: first.current,
    head: first.head,
    rule: first.rule,
    mayDeploy: first.may_deploy,
    items: query.data.pages.flatMap(({ items }) => items),
    more: moreOf(query),
  }
  return <Body {...props} known={known} own />
}

/** On another server: the deployments among the loaded builds. */
function FromLoaded(props: EnvironmentPanelProps) {
  const { repo, environment, latest } = props
  const query = useInfiniteQuery(buildsQuery(repo.namespace, repo.name))
  const mayDeploy = canWrite(useMe(), repo)
  if (!query.data && query.error) return <ErrorState {...failedRead('The builds', query)} />
  if (!query.data) return <LoadingText text="Loading the environment" />
  const numbered = new Map(
    [...latest, ...flattenBuilds(query.data.pages)].map((build) => [build.number, build] as const),
  )
  const items = [...numbered.values()]
    .filter(({ event, deploy_to: name }) => (event === 'promote' || event === 'rollback') && name === environment)
    .toSorted((first, second) => second.number - first.number)
  const current = items.find(({ status }) => status === 'success')
  const known: Known = { current, head: undefined, rule: undefined, mayDeploy, items, more: moreOf(query) }
  return <Body {...props} known={known} own={false} />
}

/**
 * One environment: its current deployment, its history, and the differences from its branch and
 * other environments.
 */
export function EnvironmentPanel(props: EnvironmentPanelProps): ReactNode {
  return useCapability('environments') ? <FromServer {...props} /> : <FromLoaded {...props} />
}
