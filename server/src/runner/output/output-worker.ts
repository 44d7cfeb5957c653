/** The thread that reads what steps print. A server has one for all steps. */
import { parentPort } from 'node:worker_threads'
import { createOrderHandler } from './output-encoder.ts'
import type { Order } from './output-messages.ts'

const desk = createOrderHandler((answer) => {
  parentPort?.postMessage(answer, answer.kind === 'rows' ? [answer.rows.bytes.buffer] : [])
})
parentPort?.on('message', (order: Order) => desk(order))
