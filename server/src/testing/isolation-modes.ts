/** The isolation modes of a real server. */
export const isRoot = process.geteuid?.() === 0
/** An account without processes. */
export const unusedAccount = 424_242

export interface IsolationMode {
  name: string
  /** Options of the server. */
  args: string[]
  needsRoot?: true
  /** The account that starts the server, if it differs from the current one. */
  uid?: number
}

export const isolationModes: readonly IsolationMode[] = [
  { name: 'sandboxed, as root', args: ['--isolation', 'sandbox'], needsRoot: true },
  { name: 'separate accounts', args: ['--isolation', 'accounts'], needsRoot: true },
  {
    name: 'sandboxed, as an ordinary user',
    args: ['--isolation', 'sandbox'],
    ...(isRoot && { uid: unusedAccount }),
  },
]
