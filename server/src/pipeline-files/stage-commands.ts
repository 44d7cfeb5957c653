/** The commands of one stage, up to a limit, for people to read before they approve it. */
import type { StageCommands, StepCommands } from '@flightdeck/api'
import { stageName, type EnvironmentValue, type PipelineDoc, type StepDoc } from '../pipeline/doc.ts'
import type { StageSettings } from '../pipeline/settings-text.ts'

/** Maximum characters of one stage: more cannot be reviewed before an approval. */
const maxStageChars = 50_000

/**
 * Steps and services in order. The first that exceeds the limit is truncated, and the following
 * ones are omitted.
 */
export const stageCommands = (doc: PipelineDoc, settings: StageSettings | undefined): StageCommands => {
  let left = maxStageChars
  let cut = false as boolean
  const take = (text: string): string => {
    if (text.length > left) cut = true
    const taken = text.slice(0, Math.max(0, left))
    left -= text.length
    return taken
  }

  const environmentOf = (step: StepDoc): Record<string, EnvironmentValue> => {
    const environment: Record<string, EnvironmentValue> = {}
    for (const [name, value] of Object.entries({ ...doc.environment, ...step.environment })) {
      if (left <= 0) cut = true
      if (cut) break
      const key = take(name)
      Object.defineProperty(environment, key, {
        value: typeof value === 'string' ? take(value) : { from_secret: take(value.from_secret) },
        enumerable: true,
      })
    }
    return environment
  }

  const readStep = (step: StepDoc, text: string): StepCommands => {
    const commands: string[] = []
    for (const command of step.commands) if (left > 0) commands.push(take(command))
    if (commands.length < step.commands.length) cut = true
    const environment = environmentOf(step)
    return {
      name: take(step.name),
      ...(step.image && { image: take(step.image) }),
      commands,
      ...(Object.keys(environment).length > 0 && { environment }),
      ...(text !== '' && { settings: take(text) }),
    }
  }

  const readAll = (all: readonly { doc: StepDoc; text: string }[]): StepCommands[] => {
    const read: StepCommands[] = []
    for (const step of all) {
      if (left <= 0) cut = true
      if (cut) break
      read.push(readStep(step.doc, step.text))
    }
    return read
  }

  const text = take(settings?.text ?? '')
  const steps = readAll(doc.steps.map((step, index) => ({ doc: step, text: settings?.steps[index] ?? '' })))
  const services = readAll(settings?.services ?? [])
  return {
    stage: stageName(doc),
    ...(text !== '' && { settings: text }),
    steps,
    ...(services.length > 0 && { services }),
    ...(cut && { cut }),
  }
}
