import type { Build, Step } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { GitCompareArrows } from 'lucide-react'
import { Suspense } from 'react'

import { useCapability } from '../../../api/capabilities.ts'
import type { StepAddress } from '../../log/index.ts'
import { queryOf } from '../../../api/queries.ts'
import { lazyPart } from '../../../browser/lazy-part.tsx'
import { useAddress, useNavigation, useSearchParams } from '../../../browser/navigation.tsx'
import { useKeys } from '../../../browser/use-keys.ts'
import { paths } from '../../../lib/paths.ts'
import { withParams } from '../../../lib/search-params.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { cx } from '../../../ui/class-names.ts'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { Link } from '../../../ui/link.tsx'
import { LoadingText, Skeleton } from '../../../ui/skeleton.tsx'
import { StatusIcon } from '../../../ui/status-icon.tsx'
import { useSameCommit, type SameCommit } from '../../history/index.ts'
import { changesQuery, type Changes } from './changes-query.ts'
import { summaryOf } from './summary.ts'

const ChangedPanel = lazyPart(async () => (await import('./changed-panel.tsx')).ChangedPanel)

export interface ChangedRowProps {
  at: StepAddress
  build: Build
  step: Step
}

function ChangeList({ at: { namespace, name }, changes }: { at: StepAddress; changes: Changes | null | undefined }) {
  if (changes === null) return <span className="truncate text-sm text-muted">This step has never passed.</span>
  if (!changes) return <Skeleton className="h-4 w-64" />
  const { since } = changes
  return (
    <span className="min-w-0 truncate text-sm text-muted">
      since{' '}
      <Link
        href={paths.build(namespace, name, since.build, since.stage, since.step)}
        className="rounded-sm text-accent underline touch:py-3"
      >
        #{since.build}
      </Link>
      {': '}
      <bdi className="text-ink">{summaryOf(changes) || 'no known changes'}</bdi>
    </span>
  )
}

/** A pass on the same commit rules out the commits as the cause, so they are not shown. */
function Passed({ at: { namespace, name }, passed }: { at: StepAddress; passed: NonNullable<SameCommit['passed']> }) {
  return (
    <span className="flex min-w-0 shrink-0 items-center gap-1.5 text-sm">
      <StatusIcon status="success" />
      <span>
        Passed on the same commit in{' '}
        <Link
          href={paths.build(namespace, name, passed.build, passed.stage, passed.step)}
          className="rounded-sm text-accent underline touch:py-3"
        >
          #{passed.build}
        </Link>
      </span>
    </span>
  )
}

/**
 * At the end of the line of a failed step: whether the step passed on the same commit, and a
 * one-line summary of what changed since it last passed. A click or `c` shows details. On servers
 * other than Flightdeck's own, the data takes several requests, so it is fetched only then.
 */
export function ChangedRow({ at, build, step }: ChangedRowProps) {
  const { namespace, name } = at
  const own = useCapability('step_changes')
  const { data: repo } = useQuery(queryOf('getRepo', namespace, name))
  const { navigate } = useNavigation()
  const { pathname, search, hash, via } = useAddress()
  const open = useSearchParams().has('changed')
  const { passed, isPending } = useSameCommit(at)
  const query = useQuery({
    ...changesQuery({ at, build, repo, own }),
    enabled: repo !== undefined && (own || open),
  })
  const go = (changed: '' | undefined, replace: boolean) =>
    navigate(`${pathname}${withParams(search, { changed })}${hash}`, { replace, ...(via && { via }) })
  useKeys((key) => {
    if (key === 'c') go('', false)
  })
  return (
    <section aria-label="What changed" className="contents lg:flex lg:max-w-120 lg:min-w-0 lg:items-center lg:gap-3">
      {/* On narrow screens only while the panel is open. */}
      <span className="flex min-w-0 items-center gap-3 max-lg:order-last max-lg:hidden max-lg:min-h-7 max-lg:basis-full max-lg:group-data-open:flex">
        {isPending && <Skeleton className="h-4 w-48" />}
        {passed && <Passed at={at} passed={passed} />}
        {query.isError && !isPending && <span className="truncate text-sm text-muted">could not be loaded</span>}
        {!query.isError && !isPending && (own || query.data !== undefined) && (
          <ChangeList at={at} changes={query.data} />
        )}
      </span>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="c"
        title="What changed since this step last passed (C)"
        className={cx(
          'flex shrink-0 items-center gap-1 rounded-sm text-sm whitespace-nowrap text-muted hover:text-ink touch:min-h-11 touch:min-w-11 touch:justify-center',
          isPending && 'invisible',
        )}
        onPointerEnter={() => ChangedPanel.prepare()}
        onFocus={() => ChangedPanel.prepare()}
        onClick={() => go('', false)}
      >
        <GitCompareArrows className="size-4" aria-hidden="true" />
        <span className="max-md:sr-only">What changed</span>
      </button>
      <Dialog
        size="drawer"
        open={open}
        onClose={() => go(undefined, true)}
        title={`What changed since ${step.name} last passed`}
      >
        <ErrorBoundary region="What changed" resetKey={`${at.build}/${at.stage}/${at.step}`}>
          <Suspense fallback={<LoadingText text="Loading what changed" />}>
            {repo && <ChangedPanel at={at} build={build} repo={repo} own={own} query={query} />}
          </Suspense>
        </ErrorBoundary>
      </Dialog>
    </section>
  )
}
