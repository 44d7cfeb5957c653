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
    /** The result of `hashPassword`; `null` if the user cannot sign in with a password. */
    password: nullableText(),
    /** The sealed API token, and its hash, by which the token's owner is found. */
    token: nullableText(),
    token_hash: nullableText(),
  },
)
