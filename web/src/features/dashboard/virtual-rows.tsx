import type { Repo } from '@flightdeck/api'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useState } from 'react'

import { rowPixels } from '../../browser/display.ts'
import { RepoRow } from './repo-row.tsx'
import { RowEnd } from './row-end.tsx'

/** Thousands of rows, of which only those near the viewport exist. */
export function VirtualRows({ repos, starred }: { repos: readonly Repo[]; starred: boolean }) {
  const [top, setTop] = useState(0)
  const list = useCallback((element: HTMLElement | null) => {
    if (element) setTop(element.getBoundingClientRect().top + scrollY)
  }, [])
  const rows = useWindowVirtualizer({
    count: repos.length,
    estimateSize: rowPixels,
    overscan: 20,
    scrollMargin: top,
  })
  return (
    <ul
      ref={list}
      className="relative overflow-hidden rounded-lg border border-line bg-surface"
      style={{ height: rows.getTotalSize() }}
    >
      {rows.getVirtualItems().map(({ index, start }) => {
        const repo = repos[index]
        return (
          repo && (
            <li
              key={repo.slug}
              aria-posinset={index + 1}
              aria-setsize={repos.length}
              className="absolute inset-x-0 top-0 border-b border-line"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <RepoRow repo={repo} starred={starred} />
              {starred && <RowEnd repo={repo} />}
            </li>
          )
        )
      })}
    </ul>
  )
}
