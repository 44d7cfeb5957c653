import type { Build } from '@flightdeck/api'
import { TriangleAlert } from 'lucide-react'
import { plural } from '../../lib/text.ts'

/**
 * The page shows one build; a file with hundreds of pipelines repeats the same settings in all of
 * them.
 */
const maxShown = 3

/** Lists settings in the pipeline file that have no effect, since their author expects one. */
export function IgnoredNote({ build }: { build: Build }) {
  const stages = (build.stages ?? []).filter(({ ignored }) => ignored?.length)
  if (stages.length === 0) return null
  return (
    <section
      aria-label="Ignored settings"
      className="flex items-start gap-2 border-b border-l-3 border-b-line border-l-warning bg-warning-soft py-2 pr-4 pl-3.25 md:pr-6 md:pl-5.25"
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden="true" />
      <ul className="min-w-0">
        {stages.slice(0, maxShown).map(({ number, name, type, ignored }) => (
          <li key={number} className="break-words">
            <span className="font-medium">{name}</span> is {/^[aeiou]/i.test(type ?? '') ? 'an' : 'a'} {type} pipeline;
            these settings are ignored: {ignored?.join(', ')}
          </li>
        ))}
        {stages.length > maxShown && (
          <li>and {plural(stages.length - maxShown, 'more pipeline')} with ignored settings</li>
        )}
      </ul>
    </section>
  )
}
