/**
 * The worker that runs the user's regular expressions. It is separate from the log's worker,
 * because the only way to stop a runaway expression is to terminate its worker.
 */
import type { FromPatternWorker, PatternBlock, PatternRequest, ToPatternWorker } from './protocol.ts'
import { compile, matchLine } from './query.ts'

const [beatLines, beatEveryMs] = [64, 100]
/**
 * The number of lines per block, and how many milliseconds a block should take: the count of hits
 * grows with each.
 */
const [minLines, maxLines] = [256, 8192]
const [quickMs, slowMs] = [10, 100]
const post = (message: FromPatternWorker): void => self.postMessage(message)

self.addEventListener('message', ({ data }: MessageEvent<ToPatternWorker>) => {
  const { id, port } = data
  const expression = compile(data.query)
  let batchLines = minLines
  let beaten = -Infinity
  const beat = (): void => {
    const now = performance.now()
    if (now - beaten < beatEveryMs) return
    beaten = now
    post({ type: 'beat', id })
  }
  const ask = (request: PatternRequest): void => port.postMessage(request)
  port.addEventListener('message', (event: MessageEvent<PatternBlock>) => {
    const block = event.data
    if (block.last) {
      post({ type: 'done', id })
      return
    }
    const startedAt = performance.now()
    const hits: number[] = []
    block.text.split('\n', block.count).forEach((text, i) => {
      // A pattern that takes a millisecond per line is slow, but makes progress.
      if (i % beatLines === 0) beat()
      matchLine(expression, text, (start, end) => hits.push(block.from + i, start, end))
    })
    const took = performance.now() - startedAt
    if (took < quickMs) batchLines = Math.min(2 * batchLines, maxLines)
    else if (took > slowMs) batchLines = Math.max(Math.floor(batchLines / 2), minLines)
    ask({ id, from: block.from + block.count, maxHits: batchLines, hits })
  })
  port.start()
  beat()
  ask({ id, from: 0, maxHits: batchLines, hits: [] })
})
