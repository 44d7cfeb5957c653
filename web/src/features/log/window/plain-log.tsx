import { useState } from 'react'

import { plural } from '../../../lib/text.ts'
import { Scroller } from '../../../ui/scroller.tsx'
import { LoadingText } from '../../../ui/skeleton.tsx'
import type { LogStore } from '../source/log-store.ts'
import { useWorkerQuery } from '../source/use-worker-query.ts'

/** More lines slow down every screen reader; the download has all. */
const maxLines = 100_000
const blockLines = 500

interface Block {
  /** The index of its first line, from 0. */
  line: number
  text: string
}

const inBlocks = (text: string): Block[] => {
  const lines = text.split('\n')
  const blocks: Block[] = []
  for (let line = 0; line < lines.length; line += blockLines)
    blocks.push({ line, text: lines.slice(line, line + blockLines).join('\n') })
  return blocks
}

/** The log as plain text: for screen readers, and for the browser's own search. */
export function PlainLog({
  store,
  first,
  count,
  version,
  only,
}: {
  store: LogStore
  first: number
  count: number
  version: number
  /** Shows only these lines. */
  only: Uint32Array | undefined
}) {
  const [blocks, setBlocks] = useState<Block[]>()
  const total = only?.length ?? count - first
  const earlier = Math.max(0, total - maxLines)
  const from = only ? (only[earlier] ?? first) : first + earlier
  const read = async () => inBlocks(await (await store.text(from, count, true, only)).text())
  // A new version has a different text in the same lines.
  useWorkerQuery(`${version} ${from} ${count} ${total}`, read, setBlocks)
  return (
    <Scroller className="p-3 font-mono text-sm">
      {earlier > 0 && (
        <p className="pb-2 text-muted">
          {plural(earlier, 'earlier line is', 'earlier lines are')} only in the download.
        </p>
      )}
      {!blocks && <LoadingText />}
      {blocks?.map(({ line, text }) => (
        <pre key={line} className="font-mono whitespace-pre-wrap [content-visibility:auto]">
          {text}
        </pre>
      ))}
    </Scroller>
  )
}
