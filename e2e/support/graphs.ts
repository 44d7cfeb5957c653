/**
 * Builds with graphs of 5, 9, 32 and 60 stages: the sizes used to examine the incumbent, and those
 * of large teams.
 */
import type { Stage } from '@flightdeck/api'
import * as data from './data.ts'

type Shape = readonly (readonly [name: string, ...needs: string[]])[]

const many = (count: number, name: string, needs: (index: number) => string[] = () => []): Shape =>
  Array.from({ length: count }, (_, index) => [`${name}-${index + 1}`, ...needs(index)] as const)

export const shapes = {
  5: [['lint'], ['unit'], ['build', 'lint', 'unit'], ['e2e', 'build'], ['deploy', 'e2e']],
  9: [
    ['lint'],
    ['types'],
    ['build', 'lint'],
    ['unit', 'types'],
    ['integration', 'build'],
    ['docs'],
    ['docker', 'build', 'unit'],
    ['staging', 'docker', 'integration'],
    ['notify', 'staging'],
  ],
  32: [
    ...many(4, 'lint'),
    ...many(6, 'build', (index) => [`lint-${(index % 4) + 1}`]),
    ...many(10, 'unit', (index) => [`build-${(index % 6) + 1}`]),
    ...many(6, 'e2e', (index) => [`build-${index + 1}`, `unit-${index + 1}`]),
    ...many(4, 'image', (index) => [`e2e-${index + 1}`]),
    ['deploy', 'image-1', 'image-2', 'image-3', 'image-4'],
    ['notify', 'deploy'],
  ],
  60: [
    ...many(6, 'lint'),
    ...many(10, 'build', (index) => [`lint-${(index % 6) + 1}`]),
    ...many(20, 'unit', (index) => [`build-${(index % 10) + 1}`]),
    ...many(12, 'e2e', (index) => [`build-${(index % 10) + 1}`, `unit-${index + 1}`]),
    ...many(8, 'image', (index) => [`e2e-${index + 1}`]),
    ['staging', ...Array.from({ length: 8 }, (_, index) => `image-${index + 1}`)],
    ['smoke', 'staging'],
    ['deploy', 'smoke', 'lint-1'],
    ['notify', 'deploy'],
  ],
} satisfies Record<number, Shape>

/**
 * The stages of a shape, each a little longer than the previous one; `over` changes one of them.
 */
export const graphOf = (
  size: keyof typeof shapes,
  overridesOf: (name: string, number: number) => Partial<Stage> = () => ({}),
): Stage[] =>
  shapes[size].map(([name, ...needs], index) =>
    data.stage({
      number: index + 1,
      name,
      ...(needs.length > 0 && { depends_on: needs }),
      started: data.now - 1000,
      stopped: data.now - 1000 + 10 + index,
      steps: [
        data.step({ number: 1, name: 'clone', started: data.now - 1000, stopped: data.now - 997 }),
        data.step({ number: 2, name: `make ${name}` }),
      ],
      ...overridesOf(name, index + 1),
    }),
  )
