import { firstLine } from '@flightdeck/api'
import type { FailedTest } from '@flightdeck/cause'
import type { ReactNode } from 'react'

import { plural } from '../../../lib/text.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Cause } from '../engine/causes.ts'

interface FailedSentenceProps {
  /** The name of the step or stage. */
  name: string
  /** How it ended, for example `exit 1`. */
  end: string
  cause: Cause | undefined
  /** The error reported by the server or the runner. */
  error: string | undefined
  loading: boolean
}

/** `1 of 312 tests failed`; without numbers if the tool prints none. */
export const countWords = ({ failed, total }: Pick<FailedTest, 'failed' | 'total'>): string => {
  if (failed === undefined) return 'Test failed'
  return total === undefined ? `${plural(failed, 'test')} failed` : `${failed} of ${plural(total, 'test')} failed`
}

const code = (text: string) => <code className="font-mono text-sm">{text}</code>

const ofTest = (test: FailedTest): ReactNode => (
  <>
    {countWords(test)}
    {test.name !== undefined && (
      <>
        {': '}
        <em className="font-medium">
          <bdi>{test.name}</bdi>
        </em>
      </>
    )}
    {test.message !== '' && <> – {code(test.message)}</>}
  </>
)

const ofLine = ({ name, end, cause, error }: FailedSentenceProps): ReactNode => {
  const reason = cause?.text.trim() ?? (error && firstLine(error))
  return reason ? (
    <>
      <bdi>{name}</bdi> failed: {code(reason)}
    </>
  ) : (
    <>
      <bdi>{name}</bdi> failed <span className="text-muted">({end})</span>
    </>
  )
}

/**
 * A sentence about the failure: the failed test and the number of others, or the step with its
 * error line.
 */
export function FailedSentence(props: FailedSentenceProps) {
  const { cause, loading } = props
  if (loading) return <Skeleton className="h-4 w-80 max-w-full" />
  return (
    <span className="min-w-0 truncate max-md:line-clamp-2 max-md:whitespace-normal max-md:break-words">
      {cause?.test ? ofTest(cause.test) : ofLine(props)}
    </span>
  )
}
