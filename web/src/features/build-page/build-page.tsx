import { texts } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { useCapability } from '../../api/capabilities.ts'
import { queryOf } from '../../api/queries.ts'
import { canAdminister, canWrite, useMe } from '../../api/session.ts'
import { buildTitle } from '../../lib/text.ts'
import { Redirect } from '../../browser/navigation.tsx'
import { useRootAttribute } from '../../browser/root-attribute.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRecordVisit } from '../../browser/page-visits.ts'
import { useNarrow } from '../../browser/use-narrow.ts'
import { useTitle } from '../../browser/use-title.ts'
import { SignInButton } from '../common/sign-in-button.tsx'
import { NotFound } from '../common/not-found.tsx'
import { ApprovalNote } from './approval-note.tsx'
import { BuildActions } from './build-actions.tsx'
import { BuildError } from './build-error.tsx'
import { BuildHeader } from './build-header.tsx'
import { BuildView, preloadGraph } from './build-view.tsx'
import { DetailsButton } from './details/details-button.tsx'
import { failingSteps } from './failing-step.ts'
import { IgnoredNote } from './ignored-note.tsx'
import { PipelineError } from './pipeline-error.tsx'
import { isAwaitingApproval } from './stage-rules.ts'
import { SourceDrawer } from './source-file/source-drawer.tsx'
import { StatusBanner } from './status-banner.tsx'
import { ReusedNote } from './reused-note.tsx'
import { useBuild } from './use-build.ts'
import { useBuildKeys } from './use-build-keys.ts'
import { useConsoleOpen } from './use-console-open.ts'
import { useSelectedStep } from './use-selected-step.ts'
import { useView } from './use-view.ts'
import { ViewToggle } from './view-toggle.tsx'
import type { StageOrStep } from './stage-or-step.ts'

export { prefetchVisibleLog } from './prefetch-log.ts'

export interface BuildPageProps {
  namespace: string
  name: string
  build: number
  stage: number
  step: number
}

const hiddenRepo = (error: Error | null): boolean =>
  error?.message === texts.notFound || error?.message === texts.unauthorized || error?.message === texts.noRows

/** One build: its status, its header, then its log or its graph. */
export function BuildPage({ namespace, name, build: number, stage, step }: BuildPageProps) {
  const { data: build, error, isFetching, refetch } = useBuild(namespace, name, number)
  const { data: repo, error: repoError } = useQuery(queryOf('getRepo', namespace, name))
  const me = useMe()
  useRecordVisit(namespace, name, number)
  const hasSource = useCapability('source')
  const hasCommands = useCapability('build_details')
  const narrow = useNarrow()
  const { view, show: showView, redirect: toView } = useView()
  const failing = failingSteps(build)
  const shown = useSelectedStep({ namespace, name, number, stage, step }, build, failing)
  const { selected } = shown
  const redirect = shown.redirect ?? toView
  const console = useConsoleOpen(number, build, shown.via)
  const onFailing = (to: StageOrStep) => {
    shown.goTo(to, 'key')
    console.onOpen()
  }
  useBuildKeys({
    namespace,
    name,
    build,
    selected: shown.at,
    failing,
    onFailing,
    onStep: (to) => shown.goTo(to, 'key'),
  })
  const onCommands = () => {
    showView('log')
    console.onOpen()
  }
  const current = build?.stages?.find((candidate) => candidate.number === selected.stage)
  useTitle([`#${number}`, build && buildTitle(build), `${namespace}/${name}`].filter(Boolean).join(' – '))

  const failed = error && !build
  useRootAttribute('data-fills-window', !hiddenRepo(repoError) && !failed)

  if (hiddenRepo(repoError)) return <NotFound />
  if (failed) return <BuildError error={error} onRetry={() => void refetch()} busy={isFetching} />
  return (
    <div className="flex h-page min-h-0 flex-col max-md:overflow-y-auto">
      {redirect && <Redirect {...redirect} keepOpen />}
      {build ? (
        <StatusBanner build={build} failing={failing} current={selected.stage} onFailing={onFailing} />
      ) : (
        // Reserves the space of the banner, so that nothing moves when the build loads.
        <div className="h-9 shrink-0 bg-raised touch:h-11" />
      )}
      <BuildHeader namespace={namespace} name={name} number={number} build={build} repo={repo}>
        {(!build || (!repo && !repoError)) && <Skeleton className="h-8 w-25 touch:h-11" />}
        {build && (repo || repoError) && (
          <BuildActions
            namespace={namespace}
            name={name}
            build={build}
            stage={current}
            mayWrite={canWrite(me, repo)}
            // Drone has no capabilities.
            needsAdmin={me?.capabilities === undefined && !canAdminister(me, repo)}
          />
        )}
        {!repoError && (!build || !repo) && <Skeleton className="h-8 w-18 touch:h-11" />}
        <SignInButton />
        {build && repo && <DetailsButton build={build} repo={repo} />}
        <ViewToggle
          view={view}
          onView={(next) => {
            shown.onLogGone()
            showView(next)
          }}
          onIntent={() => preloadGraph(build?.stages ?? [], current)}
        />
      </BuildHeader>
      {build && repo && current && isAwaitingApproval(build, current) && (
        <ApprovalNote
          build={build}
          repo={repo}
          stage={current}
          onCommands={hasCommands && (narrow || view !== 'log') ? onCommands : undefined}
        />
      )}
      {hasSource && <SourceDrawer at={{ namespace, name, build: number, ...selected }} />}
      {build && <ReusedNote namespace={namespace} name={name} build={build} />}
      {build && <IgnoredNote build={build} />}
      {build?.error && !build.stages?.length ? (
        <PipelineError build={build} repo={repo} />
      ) : (
        <BuildView
          {...{ namespace, name, number, build, view, failing, shown }}
          {...console}
          onShowLog={() => showView('log')}
        />
      )}
    </div>
  )
}
