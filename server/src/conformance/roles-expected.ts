/**
 * The expected response for each caller, written from docs/api §2.0 independently of the guards:
 * the roles test compares both. A new level in the table does not compile until it is added here.
 */
import type { Level } from '../http/access.ts'

export const visibilities = ['private', 'internal', 'public'] as const
export type Visibility = (typeof visibilities)[number]

export const callers = [
  'signed out',
  'bad token',
  'foreign user',
  'reader',
  'writer',
  'repository administrator',
  'system administrator',
  'machine user',
  'machine user with write permission',
  'disabled user',
  'disabled repository administrator',
] as const
export type Caller = (typeof callers)[number]

type RepoLevel = 'read' | 'member' | 'write' | 'admin'
interface Facts {
  /** Bad tokens make guests (docs/api §3.1). */
  guest?: true
  /** A guest with invalid credentials. */
  badToken?: true
  admin?: true
  machine?: true
  disabled?: true
  /** The caller's permission row on the repository. */
  row?: Exclude<RepoLevel, 'member'>
}
export const facts: Record<Caller, Facts> = {
  'signed out': { guest: true },
  'bad token': { guest: true, badToken: true },
  'foreign user': {},
  reader: { row: 'read' },
  writer: { row: 'write' },
  'repository administrator': { row: 'admin' },
  'system administrator': { admin: true },
  'machine user': { machine: true },
  'machine user with write permission': { machine: true, row: 'write' },
  // Their tokens have no rights.
  'disabled user': { guest: true, badToken: true, disabled: true },
  'disabled repository administrator': { guest: true, badToken: true, disabled: true, row: 'admin' },
}

export type Verdict =
  | 'allowed'
  | '401 Unauthorized'
  | '401 Forbidden'
  | '401 Invalid or missing prometheus token'
  | '403 Forbidden'
  | '403 Access denied'
  | '404 Not Found'

const ranks: Record<RepoLevel, number> = { read: 1, member: 1, write: 2, admin: 3 }

function onRepository(level: RepoLevel, { guest, admin, row }: Facts, visibility: Visibility): Verdict {
  if (admin) return 'allowed'
  if (level === 'read' && (visibility === 'public' || (visibility === 'internal' && !guest))) return 'allowed'
  if (guest) return '401 Unauthorized'
  if (row === undefined) return '404 Not Found'
  return ranks[row] >= ranks[level] ? 'allowed' : '404 Not Found'
}

export const expected: Record<Level, (caller: Facts, visibility: Visibility) => Verdict> = {
  anyone: () => 'allowed',
  user: ({ guest }) => (guest ? '401 Unauthorized' : 'allowed'),
  sysadmin: ({ guest, admin }) => (guest ? '401 Unauthorized' : admin ? 'allowed' : '403 Forbidden'),
  // For a namespace other than the caller's.
  namespace: ({ guest, admin }) => (guest ? '401 Unauthorized' : admin ? 'allowed' : '401 Forbidden'),
  metrics: ({ guest, badToken, admin, machine }) => {
    if (admin || machine) return 'allowed'
    return guest && !badToken ? '401 Invalid or missing prometheus token' : '403 Access denied'
  },
  read: (caller, visibility) => onRepository('read', caller, visibility),
  member: (caller, visibility) => onRepository('member', caller, visibility),
  write: (caller, visibility) => onRepository('write', caller, visibility),
  admin: (caller, visibility) => onRepository('admin', caller, visibility),
}
