import { useEffect, useState } from 'react'

import { formatNumber } from '../../../lib/text.ts'
import { LoadingText } from '../../../ui/skeleton.tsx'
import type { LogStore } from '../source/log-store.ts'

/** More lines than this are a burden on any screen reader; the download has all. */
const mostLines = 100_000
const blockLines = 500

const inBlocks = (text: string): string[] => {
  const lines = text.split('\n')
  const blocks: string[] = []
  for (let at = 0; at < lines.length; at += blockLines) blocks.push(lines.slice(at, at + blockLines).join('\n'))
  return blocks
}

/** The log as nothing but text: for screen readers, and for the browser's own find. */
export function PlainLog({
  store,
  first,
  count,
  version,
}: {
  store: LogStore
  first: number
  count: number
  version: number
}) {
  const [blocks, setBlocks] = useState<string[]>()
  const from = Math.max(first, count - mostLines)
  useEffect(() => {
    let stale = false
    void store
      .text(from, count, true)
      .then((blob) => blob.text())
      .then((text) => {
        if (!stale) setBlocks(inBlocks(text))
      })
    return () => {
      stale = true
    }
    // A new version has other text in the same lines.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [store, from, count, version])
  return (
    // Scrolling by keyboard needs the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="min-h-0 flex-1 overflow-auto p-3 font-console text-sm" tabIndex={0}>
      {from > first && (
        <p className="pb-2 text-muted">{formatNumber(from - first)} earlier lines are in the download.</p>
      )}
      {!blocks && <LoadingText />}
      {blocks?.map((block, i) => (
        // Blocks have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <pre key={i} className="font-console whitespace-pre-wrap [content-visibility:auto]">
          {block}
        </pre>
      ))}
    </div>
  )
}
