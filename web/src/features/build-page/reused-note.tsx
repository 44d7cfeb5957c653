import type { Build } from '@flightdeck/api'
import { CopyCheck } from 'lucide-react'

import { paths } from '../../lib/paths.ts'
import { Link } from '../../ui/link.tsx'
import { listReusedStages } from './reused-stages.ts'

/**
 * The stages that did not run in this build, and the build in which they ran, which has their times
 * and logs.
 */
export function ReusedNote({ namespace, name, build }: { namespace: string; name: string; build: Build }) {
  const parts = listReusedStages(build)
  if (parts.length === 0) return null
  return (
    <section
      aria-label="Reused"
      className="flex items-start gap-2 border-b border-line bg-raised py-2 pr-4 pl-4 md:px-6"
    >
      <CopyCheck className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden="true" />
      <ul className="min-w-0">
        {parts.map(({ number, names, count }) => (
          <li key={number} className="break-words">
            <bdi className="font-medium">{names}</bdi> {count === 1 ? 'was' : 'were'} reused from{' '}
            <Link
              href={paths.build(namespace, name, number)}
              className="rounded-sm text-accent underline touch:-my-3 touch:py-3"
            >
              #{number}
            </Link>
            ; {count === 1 ? 'its' : 'their'} time is not counted here.
          </li>
        ))}
      </ul>
    </section>
  )
}
