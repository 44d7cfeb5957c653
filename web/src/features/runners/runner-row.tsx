import type { RunnerNeeds, RunnerState } from '@flightdeck/api'
import type { ReactNode } from 'react'

import { paths } from '../../lib/paths.ts'
import { Chip } from '../../ui/chip.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** The filter of a runner, in the terms of a pipeline file. */
export const filterWords = ({ type, os, arch, variant, kernel, labels = {} }: RunnerNeeds): string[] => [
  `type ${type || 'docker'}`,
  [os, arch, variant].filter(Boolean).join('/') || 'any platform',
  ...(kernel ? [`kernel ${kernel}`] : []),
  ...Object.entries(labels).map(([name, value]) => `${name}=${value}`),
]

const nameOf = ({ builtin, machines, address }: RunnerState): string =>
  builtin ? 'Built-in runner' : (machines[0] ?? address)

function Cell({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-2 md:block">
      <dt className="w-20 shrink-0 text-sm text-muted md:sr-only">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

export function RunnerRow({ runner }: { runner: RunnerState }) {
  const { builtin, machines, address, version, filter, present, asked, places, busy, runs } = runner
  const others = machines.slice(1)
  return (
    <li className="border-b border-line px-4 py-(--row-padding) last:border-b-0">
      <dl className="flex flex-col gap-1.5 md:grid md:grid-cols-[minmax(0,1.2fr)_minmax(0,1.3fr)_8rem_minmax(0,1.5fr)] md:items-start md:gap-4">
        <Cell name="Runner">
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 font-medium">
            <span className="min-w-0 break-words">{nameOf(runner)}</span>
            {!present && <Chip>offline</Chip>}
          </span>
          <span className="block text-sm break-words text-muted">
            {[
              !builtin && machines.length > 0 && address,
              others.length > 0 && `also ${others.join(', ')}`,
              version ? `version ${version}` : 'unknown version',
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </Cell>
        <Cell name="Accepts">
          <span className="flex flex-wrap gap-1">
            {filterWords(filter).map((word) => (
              <Chip key={word}>{word}</Chip>
            ))}
          </span>
        </Cell>
        <Cell name="Last seen">
          <span className="block">
            <RelativeTime seconds={asked} />
          </span>
          <span className="block text-sm text-muted tabular-nums">
            {busy} of {places} busy
          </span>
        </Cell>
        <Cell name="Running">
          {runs.length === 0 && <span className="text-muted">idle</span>}
          <ul>
            {runs.map((item) => (
              <li key={item.stage_id} className="truncate">
                <Link
                  href={paths.build(item.namespace, item.name, item.build, item.stage)}
                  className="rounded-sm text-accent hover:underline"
                >
                  {item.namespace}/{item.name} #{item.build} · {item.stage_name}
                </Link>
              </li>
            ))}
          </ul>
        </Cell>
      </dl>
    </li>
  )
}
