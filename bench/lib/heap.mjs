// The memory of a page and its workers: their heaps, and the arrays outside of the heaps.
const sizeOf = ({ usedSize = 0, embedderHeapUsedSize = 0, backingStorageSize = 0 }) =>
  usedSize + embedderHeapUsedSize + backingStorageSize

/** Sends commands to the page's workers, for which Playwright has no session. */
async function eachWorker(cdp, ask) {
  const answers = []
  const sessions = []
  const onAttached = ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') sessions.push(sessionId)
  }
  cdp.on('Target.attachedToTarget', onAttached)
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false })
  for (const sessionId of sessions) {
    let last = 0
    const waiting = new Map()
    const onMessage = (event) => {
      if (event.sessionId !== sessionId) return
      const { id, result } = JSON.parse(event.message)
      waiting.get(id)?.(result)
    }
    cdp.on('Target.receivedMessageFromTarget', onMessage)
    const send = async (method) => {
      const id = ++last
      const answer = new Promise((resolve) => waiting.set(id, resolve))
      await cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) })
      return answer
    }
    answers.push(await ask(send))
    cdp.off('Target.receivedMessageFromTarget', onMessage)
  }
  cdp.off('Target.attachedToTarget', onAttached)
  await cdp.send('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false, flatten: false })
  return answers
}

const collectAndMeasure = async (send) => {
  await send('HeapProfiler.enable')
  await send('HeapProfiler.collectGarbage')
  return sizeOf((await send('Runtime.getHeapUsage')) ?? {})
}

export async function heapBytes(page, cdp) {
  const own = await collectAndMeasure((method) => cdp.send(method))
  const workers = await eachWorker(cdp, collectAndMeasure)
  if (workers.length < page.workers().length) throw new Error(`only ${workers.length} workers answered`)
  return workers.reduce((sum, size) => sum + size, own)
}
