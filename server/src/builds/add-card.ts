import type { Step } from '@flightdeck/api'
import { createCard } from '../store/cards.ts'
import { findStage } from '../store/stages.ts'
import { findStep, updateStep } from '../store/steps.ts'
import { changeBuild, required, type CiContext } from './context.ts'
import type { Card } from '../interfaces/runner.ts'

/**
 * Stores a card that was uploaded for a step over the API, and sets the step's schema (docs/api
 * §2.5).
 */
export const addCard = async (ci: CiContext, { id, step_id: stageId }: Step, card: Card): Promise<void> => {
  const stage = required(await findStage(ci.db, stageId))
  await changeBuild(ci, stage.build_id, async (tx) => {
    await createCard(tx, id, card.data)
    await updateStep(tx, { ...required(await findStep(tx, id)), schema: card.schema })
  })
}
