import { Suspense } from 'react'

import { lazyPart } from '../../../browser/lazy-part.tsx'
import { useAddress, useNavigation, useSearchParams } from '../../../browser/navigation.tsx'
import { withParams } from '../../../lib/search-params.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { LoadingText } from '../../../ui/skeleton.tsx'
import type { StepAddress } from '../../log/index.ts'
import { printSource, readSource } from './address.ts'

const SourceFile = lazyPart(async () => (await import('./source-file.tsx')).SourceFile)

const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The file named by a line of the log, shown next to the log. The URL opens it. */
export function SourceDrawer({ at }: { at: StepAddress }) {
  const { navigate } = useNavigation()
  const { pathname, search, hash, via } = useAddress()
  const location = readSource(useSearchParams().get('source'))
  const go = (source: string | undefined) =>
    navigate(`${pathname}${withParams(search, { source })}${hash}`, { replace: true, ...(via && { via }) })
  return (
    <Dialog
      size="wide"
      open={location !== undefined}
      onClose={() => go(undefined)}
      title={location ? `${lastName(location.path)}, line ${location.line}` : ''}
    >
      {location && (
        <ErrorBoundary region="The file" resetKey={printSource(location)}>
          <Suspense fallback={<LoadingText text="Loading the file" />}>
            <SourceFile at={at} location={location} onLocation={(other) => go(printSource(other))} />
          </Suspense>
        </ErrorBoundary>
      )}
    </Dialog>
  )
}
