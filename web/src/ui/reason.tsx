import type { Reason } from '../lib/reason.ts'
import { RelativeTime } from './relative-time.tsx'

/**
 * Why something waits or has ended, with the time if a user did it: "Canceled by wes 3 minutes
 * ago".
 */
export function ReasonText({ reason }: { reason: Reason }) {
  return (
    <>
      <bdi>{reason.text}</bdi>
      {reason.at && ' '}
      {reason.at && <RelativeTime seconds={reason.at} />}
    </>
  )
}
