/** The ways in which a real server protects itself from the steps that it runs. */
export const isRoot = process.geteuid?.() === 0
/** An account that no process has. */
export const unusedAccount = 424_242

export interface IsolationMode {
  name: string
  /** Options of the server. */
  words: string[]
  needsRoot?: true
  /** The account that starts the server, where that is not this one. */
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
