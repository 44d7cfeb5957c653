import type { Build, Repo } from '@flightdeck/api'
import { Suspense } from 'react'

import { lazyPart } from '../../../browser/lazy-part.tsx'
import { useAddress, useNavigation, useSearchParams } from '../../../browser/navigation.tsx'
import { useKeys } from '../../../browser/use-keys.ts'
import { withParams } from '../../../lib/search-params.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { LoadingText } from '../../../ui/skeleton.tsx'

const BuildDetails = lazyPart(async () => (await import('./build-details.tsx')).BuildDetails)

/** `?details`, and `?details=12` for a line of the file. */
const lineOf = (value: string | null): number | undefined =>
  value && /^\d{1,7}$/.test(value) ? Number(value) : undefined

/** Opens the build details on click or `i`. The open state is kept in the URL. */
export function DetailsButton({ build, repo }: { build: Build; repo: Repo }) {
  const { navigate } = useNavigation()
  const { pathname, search, via } = useAddress()
  const params = useSearchParams()
  const open = params.has('details')
  /** Opening and closing the details does not stop following the build. */
  const go = (details: string | undefined, replace = false) =>
    navigate(`${pathname}${withParams(search, { details })}`, { replace, ...(via && { via }) })
  const show = () => go('')
  useKeys((key) => {
    if (key === 'i') show()
  })
  return (
    <>
      <Button onPointerEnter={() => BuildDetails.prepare()} onFocus={() => BuildDetails.prepare()} onClick={show}>
        Details
      </Button>
      <Dialog size="drawer" open={open} onClose={() => go(undefined, true)} title={`Build #${build.number} details`}>
        <ErrorBoundary region="The details" resetKey={`${build.number}`}>
          <Suspense fallback={<LoadingText text="Loading details" />}>
            <BuildDetails build={build} repo={repo} line={lineOf(params.get('details'))} />
          </Suspense>
        </ErrorBoundary>
      </Dialog>
    </>
  )
}
