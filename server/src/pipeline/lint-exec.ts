/** What the runner refuses in an exec pipeline (docs/api §5.7 "lint problems on the runner", §6.4). */
import { ConfigError } from './doc.ts'
import type { PipelineDoc, StepDoc } from './doc.ts'

/** A circle among the steps, each named once, or null. */
const findCircle = (steps: ReadonlyMap<string, StepDoc>): string[] | null => {
  const done = new Set<string>()
  const path: string[] = []
  const visit = (name: string): string[] | null => {
    const seen = path.indexOf(name)
    if (seen >= 0) return path.slice(seen)
    if (done.has(name)) return null
    path.push(name)
    for (const dependency of steps.get(name)?.depends_on ?? []) {
      const circle = visit(dependency)
      if (circle) return circle
    }
    path.pop()
    done.add(name)
    return null
  }
  for (const name of steps.keys()) {
    const circle = visit(name)
    if (circle) return circle
  }
  return null
}

/** Throws `ConfigError`, which becomes the error of the stage. */
export const lintExec = (doc: PipelineDoc): void => {
  const steps = new Map<string, StepDoc>()
  for (const step of doc.steps) {
    if (step.image) throw new ConfigError('Linter: cannot define images for an exec pipeline')
    if (!step.name) throw new ConfigError('Linter: invalid or missing step name')
    if (steps.has(step.name) || (step.name === 'clone' && !doc.clone.disable)) {
      throw new ConfigError(`Linter: duplicate step names: ${step.name}`)
    }
    steps.set(step.name, step)
  }
  for (const step of doc.steps) {
    const unknown = step.depends_on.find((name) => !steps.has(name) && name !== 'clone')
    if (unknown === undefined) continue
    throw new ConfigError(`Linter: unknown step dependency detected: ${step.name} references ${unknown}`)
  }
  const circle = findCircle(steps)
  if (circle) {
    throw new ConfigError(`Linter: step dependencies form a circle: ${[...circle, circle[0]].join(' -> ')}`)
  }
}
