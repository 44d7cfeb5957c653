/** For tests: a repository whose builds end as soon as they start. */
import { join } from 'node:path'
import { thisPlatform } from '../machine/platform.ts'
import { testRepository } from './test-repository.ts'

/** Creates `acme/web` below `repos`, with one step that prints a line and no clone. */
export function quickRepository(repos: string) {
  const { os, arch } = thisPlatform()
  const repository = testRepository(join(repos, 'acme', 'web'))
  const pipeline = [
    'kind: pipeline',
    'type: exec',
    'name: default',
    `platform: { os: ${os}, arch: ${arch} }`,
    'clone: { disable: true }',
    'steps:',
    '- name: greet',
    '  commands: [echo hello]',
  ]
  repository.commit({ '.drone.yml': pipeline.join('\n') }, 'First')
  return repository
}
