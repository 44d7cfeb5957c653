import type { Build, Repo } from '@flightdeck/api'
import { CircleAlert } from 'lucide-react'

import { shortHash } from '../events/index.ts'
import { Excerpts } from './excerpts.tsx'
import { FileLink } from './file-link.tsx'
import { remedyOf } from './remedy.ts'

/**
 * A build without stages, because its pipeline file is invalid: the error, its position, and what
 * to do. Shown once, here.
 */
export function PipelineError({ build, repo }: { build: Build; repo: Repo | undefined }) {
  return (
    <section aria-label="Pipeline file error" className="min-h-0 flex-1 overflow-y-auto px-4 py-5 md:px-6">
      <div className="flex max-w-4xl flex-col gap-4">
        <p className="flex items-start gap-3">
          <CircleAlert className="mt-0.5 size-5 shrink-0 text-danger" aria-hidden="true" />
          <span className="min-w-0 font-mono break-words whitespace-pre-wrap">{build.error}</span>
        </p>
        <Excerpts of={build} />
        <p className="text-muted">{remedyOf(build.error ?? '')}</p>
        {repo && build.after && (
          <p>
            <FileLink build={build} repo={repo} line={build.excerpts?.[0]?.line}>
              {repo.config_path || 'Pipeline file'} at {shortHash(build.after)}
            </FileLink>
          </p>
        )}
      </div>
    </section>
  )
}
