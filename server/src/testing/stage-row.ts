import type { NewStage } from '../store/stages.ts'

/** For tests: a stage with these fields, by default waiting in the queue. */
export const stageRow = (facts: Partial<NewStage> & Pick<NewStage, 'repo_id' | 'build_id' | 'number'>): NewStage => ({
  name: 'default',
  kind: 'pipeline',
  type: 'exec',
  status: 'pending',
  errignore: false,
  exit_code: 0,
  os: 'linux',
  arch: 'amd64',
  started: 0,
  stopped: 0,
  created: 1,
  updated: 1,
  on_success: true,
  on_failure: false,
  ...facts,
})
