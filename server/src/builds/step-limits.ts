/**
 * A stage is read, sent and shown with all of its steps, however many reports it took to make them.
 */
import type { Db } from '../store/open.ts'
import { measureSteps } from '../store/steps.ts'
import { Refusal } from '../lib/refusal.ts'

/** A pipeline has at most 1,000 (docs/limits.md); runners add a few, such as the clone step. */
export const maxSteps = 2_000
/** Characters of all `depends_on` lists: as many as in a pipeline, with quotes and commas. */
const maxDependencyText = 600_000

/** Called in the transaction that wrote the steps. */
export async function checkSteps(tx: Db, stageId: number): Promise<void> {
  const { count, dependencyText } = await measureSteps(tx, stageId)
  if (count > maxSteps) throw new Refusal(400, 'Invalid number of steps')
  if (dependencyText > maxDependencyText) throw new Refusal(400, 'Invalid dependencies')
}
