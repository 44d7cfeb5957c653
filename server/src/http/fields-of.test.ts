import { repoSettings, systemSettings } from '@flightdeck/api/schema'
import { expect, it } from 'vitest'
import { fieldsOf } from './fields-of.ts'

it('names the Go type of each setting, also of those that may be missing', () => {
  expect(fieldsOf({ ...repoSettings, ...systemSettings })).toEqual({
    visibility: 'string',
    config_path: 'string',
    protected: 'bool',
    ignore_forks: 'bool',
    ignore_pull_requests: 'bool',
    auto_cancel_pull_requests: 'bool',
    auto_cancel_pushes: 'bool',
    auto_cancel_running: 'bool',
    public_badge: 'bool',
    trusted: 'bool',
    timeout: 'int64',
    throttle: 'int64',
    counter: 'int64',
  })
})
