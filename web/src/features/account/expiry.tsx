import { nowSeconds } from '../../lib/time.ts'
import { AbsoluteTime, RelativeTime } from '../../ui/relative-time.tsx'

/** The expiry date of a token or link. */
export function Expiry({ seconds }: { seconds: number }) {
  if (seconds === 0) return <span>No expiry</span>
  if (seconds <= nowSeconds())
    return (
      <span className="text-danger">
        Expired <RelativeTime seconds={seconds} />
      </span>
    )
  return (
    <span>
      Expires <AbsoluteTime seconds={seconds} />
    </span>
  )
}
