/**
 * Errors that the runner reports for an exec pipeline (docs/api §5.7 "lint problems on the runner",
 * §6.4).
 */
import { ConfigError } from './doc.ts'
import type { PipelineDoc, FilePosition, StepDoc } from './doc.ts'

/** The steps of a dependency cycle, each named once, or `null`. */
const findCircle = (steps: ReadonlyMap<string, StepDoc>): string[] | null => {
  const done = new Set<string>()
  const path: string[] = []
  const visit = (name: string): string[] | null => {
    const at = path.indexOf(name)
    if (at >= 0) return path.slice(at)
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

/**
 * Throws `ConfigError`, which becomes the error of the stage. `pipeline` is the zero-based index in
 * the file.
 */
export const lintExec = (doc: PipelineDoc, pipeline = 0): void => {
  const at = (...path: (string | number)[]): FilePosition => ({ pipeline, path: ['steps', ...path] })
  const steps = new Map<string, StepDoc>()
  for (const [index, step] of doc.steps.entries()) {
    if (step.image) throw new ConfigError('Linter: cannot define images for an exec pipeline', at(index, 'image'))
    if (!step.name) throw new ConfigError('Linter: invalid or missing step name', at(index, 'name'))
    if (steps.has(step.name) || (step.name === 'clone' && !doc.clone.disable)) {
      throw new ConfigError(`Linter: duplicate step names: ${step.name}`, at(index, 'name'))
    }
    steps.set(step.name, step)
  }
  for (const [index, step] of doc.steps.entries()) {
    const which = step.depends_on.findIndex((name) => !steps.has(name) && name !== 'clone')
    if (which < 0) continue
    const what = `${step.name} references ${step.depends_on[which]}`
    throw new ConfigError(`Linter: unknown step dependency detected: ${what}`, at(index, 'depends_on', which))
  }
  const circle = findCircle(steps)
  if (circle) {
    const first = doc.steps.findIndex(({ name }) => name === circle[0])
    const names = [...circle, circle[0]].join(' -> ')
    throw new ConfigError(`Linter: step dependencies form a circle: ${names}`, at(first, 'depends_on'))
  }
}
