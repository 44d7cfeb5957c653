import type { User } from '@flightdeck/api'
import { defineTable, fixed, flag, id, nullableText, number, optional, text } from '../table.ts'

export const users = defineTable<
  User,
  'has_password' | 'shared_token' | 'sync_refused' | 'favorites' | 'views' | 'capabilities'
>()(
  'user',
  {
    id: id(),
    login: fixed(text()),
    email: text(),
    machine: fixed(flag()),
    admin: flag(),
    active: flag(),
    avatar: text(),
    syncing: flag(),
    synced: number(),
    created: fixed(number()),
    updated: number(),
    last_login: number(),
    external: optional.flag(),
  },
  {
    /** What `hashPassword` made; `null`: cannot sign in with one. */
    password: nullableText(),
    /** The API token, sealed, and its hash, by which its owner is found. */
    token: nullableText(),
    token_hash: nullableText(),
  },
)
