import type { Stage } from '@flightdeck/api'
import { plural } from '../../lib/text.ts'

/** A limit, because a file can exclude hundreds of steps. */
const maxShown = 3

/** Steps that the pipeline file contains but whose conditions exclude them from this stage. */
export function ExcludedSteps({ stage }: { stage: Stage }) {
  const reported = new Set((stage.steps ?? []).map(({ name }) => name))
  const left = (stage.left_out ?? []).filter(({ name }) => !reported.has(name))
  if (left.length === 0) return null
  return (
    <>
      {left.slice(0, maxShown).map(({ name, text }) => (
        <li key={name} className="px-2 py-0.5 text-sm text-muted">
          Not run: <bdi>{name}</bdi> – {text}
        </li>
      ))}
      {left.length > maxShown && (
        <li className="px-2 py-0.5 text-sm text-muted">and {plural(left.length - maxShown, 'more step')}</li>
      )}
    </>
  )
}
