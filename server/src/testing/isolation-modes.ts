/** The isolation modes of a real server. */
export const isRoot = process.geteuid?.() === 0
/** An account without processes. */
export const unusedAccount = 424_242

export interface IsolationMode {
  name: string
  /** Options of the server. */
  words: string[]
  needsRoot?: true
  /** The account that starts the server, if it differs from the current one. */
  uid?: number
}

export const isolationModes: readonly IsolationMode[] = [
  { name: 'sandboxed, as root', words: ['--isolation', 'sandbox'], needsRoot: true },
  { name: 'separate accounts', words: ['--isolation', 'accounts'], needsRoot: true },
  {
    name: 'sandboxed, as an ordinary user',
    words: ['--isolation', 'sandbox'],
    ...(isRoot && { uid: unusedAccount }),
  },
]
