/**
 * The worker that runs the reader's regular expressions. It is apart from the log's own, because the only way to stop an
 * expression that runs away is to end the worker it runs in.
 */
import type { FromPatternWorker, PatternBlock, PatternRequest, ToPatternWorker } from './protocol.ts'
import { compile, matchLine } from './query.ts'

const tell = (message: FromPatternWorker): void => self.postMessage(message)

self.addEventListener('message', ({ data }: MessageEvent<ToPatternWorker>) => {
  const { id, port } = data
  const expression = compile(data.query)
  const ask = (request: PatternRequest): void => port.postMessage(request)
  port.addEventListener('message', (event: MessageEvent<PatternBlock>) => {
    const block = event.data
    if (block.last) {
      tell({ type: 'done', id })
      return
    }
    tell({ type: 'beat', id })
    const hits: number[] = []
    block.text
      .split('\n', block.count)
      .forEach((text, i) => matchLine(expression, text, (start, end) => hits.push(block.from + i, start, end)))
    ask({ id, from: block.from + block.count, hits })
  })
  port.start()
  tell({ type: 'beat', id })
  ask({ id, from: 0, hits: [] })
})
