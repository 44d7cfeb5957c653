import type { Repo, Visibility } from '@flightdeck/api'
import { defineTable, fixed, flag, id, number, optional, text } from '../table.ts'

export const repos = defineTable<Repo, 'build' | 'permissions'>()(
  'repo',
  {
    id: id(),
    uid: fixed(text()),
    user_id: number(),
    namespace: text(),
    name: text(),
    slug: text(),
    scm: text(),
    git_http_url: text(),
    git_ssh_url: text(),
    link: text(),
    default_branch: text(),
    private: flag(),
    visibility: text<Visibility>(),
    active: flag(),
    config_path: text(),
    trusted: flag(),
    protected: flag(),
    ignore_forks: flag(),
    ignore_pull_requests: flag(),
    auto_cancel_pull_requests: flag(),
    auto_cancel_pushes: flag(),
    auto_cancel_running: flag(),
    timeout: number(),
    throttle: optional.number(),
    counter: number(),
    synced: number(),
    created: fixed(number()),
    updated: number(),
    version: fixed(number()),
    archived: fixed(flag()),
    public_badge: flag(),
  },
  {
    signer: text(),
    secret: text(),
    /** The git folder on this machine. */
    path: text(),
    missing: flag(),
    latest_build_id: number(),
    /** Whether the repository is on the forge; `uid` is then the forge's own id. */
    forge: flag(),
  },
)
