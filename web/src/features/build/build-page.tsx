import { texts, type Stage } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { startTransition, Suspense, useState } from 'react'

import { queryOf } from '../../api/queries.ts'
import { canWrite, useMe } from '../../api/session.ts'
import { paths } from '../../lib/paths.ts'
import { buildTitle } from '../../lib/text.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { isTyping } from '../../browser/is-typing.ts'
import { lazyPart } from '../../browser/lazy-part.tsx'
import { useNavigation } from '../../browser/navigation.tsx'
import { useRootAttribute } from '../../browser/root-attribute.ts'
import { usePreference } from '../../browser/preference.ts'
import { useListeners } from '../../browser/use-listeners.ts'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { NotFound } from '../not-found/not-found.tsx'
import { ApprovalNote } from './approval-note.tsx'
import { BuildActions } from './build-actions.tsx'
import { BuildError } from './build-error.tsx'
import { BuildHeader } from './build-header.tsx'
import { failingStep, type FailingStep } from './failing-step.ts'
import { IgnoredNote } from './ignored-note.tsx'
import { LogView } from './log-view.tsx'
import { isBlocked, isStageWaiting } from './stage-rules.ts'
import { StatusBanner } from './status-banner.tsx'
import { useBuild } from './use-build.ts'
import { ViewToggle, type View } from './view-toggle.tsx'

const loadGraph = () => import('../graph/index.ts')
const GraphView = lazyPart(async () => (await loadGraph()).GraphView)
/** The page itself tells a failure, if somebody goes there. */
const preloadGraph = (stages: readonly Stage[]) => {
  GraphView.prepare()
  void loadGraph().then(
    ({ prepareLayout }) => prepareLayout(stages),
    () => undefined,
  )
}

export interface BuildPageProps {
  namespace: string
  name: string
  build: number
  stage: number
  step: number
}

/** `f` goes to the step that broke the build (design.md, rule 1). */
const useFailingKey = (go: (() => void) | undefined) => {
  const onKeyDown = (event: KeyboardEvent) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key !== 'f' || !plain || isTyping(event.target) || event.defaultPrevented) return
    if (!document.querySelector('dialog[open]')) go?.()
  }
  useListeners('document', { keydown: onKeyDown }, { on: go !== undefined })
}

const hiddenRepo = (error: Error | null): boolean =>
  error?.message === texts.notFound || error?.message === texts.unauthorized || error?.message === texts.noRows

const failingHref = (namespace: string, name: string, number: number, failing: FailingStep | undefined) =>
  failing && paths.build(namespace, name, number, failing.stage.number, failing.step?.number ?? 1)

/** One build: its status first, then what it is, then its log or its graph. */
export function BuildPage({ namespace, name, build: number, stage, step }: BuildPageProps) {
  const { data: build, error, isFetching, refetch } = useBuild(namespace, name, number)
  const { data: repo, error: repoError } = useQuery(queryOf('getRepo', namespace, name))
  const me = useMe()
  const [view, setView] = usePreference('build.view', ['log', 'graph'])
  // Hundreds of stages are drawn in slices, so that the page answers meanwhile.
  const showView = (next: View) => startTransition(() => setView(next))
  const failing = failingStep(build)
  // On narrow screens the console is a modal; a link to a line of the log wants it.
  const [consoleOpen, setConsoleOpen] = useState(() => /^#L\d/.test(location.hash))
  const { navigate } = useNavigation()
  const goToFailing = () => {
    const href = failingHref(namespace, name, number, failing)
    if (!href) return
    navigate(href)
    setConsoleOpen(true)
  }
  useFailingKey(failing && goToFailing)
  const current = build?.stages?.find((one) => one.number === stage)
  useTitle([`#${number}`, build && buildTitle(build), `${namespace}/${name}`].filter(Boolean).join(' – '))

  const failed = error && !build
  useRootAttribute('data-fills-window', !hiddenRepo(repoError) && !failed)

  if (hiddenRepo(repoError)) return <NotFound />
  if (failed) return <BuildError error={error} onRetry={() => void refetch()} busy={isFetching} />
  return (
    <div className="flex h-page min-h-0 flex-col">
      {build ? (
        <StatusBanner build={build} failing={failing} onFailing={goToFailing} />
      ) : (
        // The place of the banner, so that nothing moves when the build comes.
        <div className="h-9 shrink-0 bg-raised" />
      )}
      <BuildHeader namespace={namespace} name={name} number={number} build={build} repo={repo}>
        {(!build || (!repo && !repoError)) && <Skeleton className="h-8 w-25 touch:h-11" />}
        {build && (repo || repoError) && (
          <BuildActions namespace={namespace} name={name} build={build} stage={current} mayWrite={canWrite(me, repo)} />
        )}
        <ViewToggle view={view} onView={showView} onIntent={() => preloadGraph(build?.stages ?? [])} />
      </BuildHeader>
      {build && repo && current && (isBlocked(build, current) || isStageWaiting(build, current)) && (
        <ApprovalNote build={build} repo={repo} stage={current} />
      )}
      {build && <IgnoredNote build={build} />}
      {view === 'graph' && build ? (
        <ErrorBoundary region="The graph" resetKey={`${number}`}>
          <Suspense fallback={<LoadingText text="Loading graph" />}>
            <GraphView
              namespace={namespace}
              name={name}
              build={build}
              stage={stage}
              step={step}
              onShowLog={() => setView('log')}
            />
          </Suspense>
        </ErrorBoundary>
      ) : (
        <LogView
          namespace={namespace}
          name={name}
          number={number}
          build={build}
          stage={stage}
          step={step}
          failing={failing}
          consoleOpen={consoleOpen}
          onConsole={setConsoleOpen}
        />
      )}
    </div>
  )
}
