import type { NewBuild } from '../store/builds.ts'

/** For tests: a build with these fields, by default a successful push without texts and times. */
export const buildRow = (facts: Partial<NewBuild> & Pick<NewBuild, 'repo_id' | 'number'>): NewBuild => ({
  trigger: '@hook',
  status: 'success',
  event: 'push',
  action: '',
  link: '',
  timestamp: 0,
  message: '',
  before: '',
  after: '',
  ref: '',
  source_repo: '',
  source: '',
  target: '',
  author_login: '',
  author_name: '',
  author_email: '',
  author_avatar: '',
  sender: '',
  started: 0,
  finished: 0,
  created: 0,
  updated: 0,
  ...facts,
})
