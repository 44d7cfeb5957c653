/** Notes about a changed file, beside its diff. */
import type { CommitFile } from '@flightdeck/api'

const modes: Record<string, string> = {
  '100644': 'a file',
  '100755': 'an executable file',
  '120000': 'a symbolic link',
  '160000': 'a submodule',
}
const modeOf = (mode: string): string => modes[mode] ?? `of mode ${mode}`

export const changeWord: Record<CommitFile['change'], string> = {
  added: 'added',
  modified: 'modified',
  deleted: 'deleted',
  renamed: 'renamed',
  type: 'type changed',
}

/** Notes about changes that the diff does not show. */
export const notesOf = (file: CommitFile): string[] => {
  const { modes: [before, after] = [], binary, garbled, hunks, cut, change, added, deleted } = file
  const isUntouched = !hunks && added === 0 && deleted === 0
  return [
    before !== undefined && after !== undefined && `Changed from ${modeOf(before)} to ${modeOf(after)}.`,
    binary && 'Binary, or larger than 2 MB: its content is not compared.',
    change === 'added' && isUntouched && 'The file is empty.',
    change === 'deleted' && isUntouched && 'The file was empty.',
    change === 'renamed' && isUntouched && 'Content unchanged.',
    garbled && 'Some bytes are not valid UTF-8 and are shown as \ufffd.',
    cut === 'file' && 'Only the first 1,000 lines or 200 KB are shown.',
    cut === 'commit' &&
      (hunks
        ? 'The rest is not shown: the diff of a commit is limited to 5,000 lines or 1 MB.'
        : 'Not shown: the diff of a commit is limited to 5,000 lines or 1 MB.'),
    cut === 'time' && (hunks ? 'The rest is not shown: the diff took too long.' : 'Not shown: the diff took too long.'),
  ].filter((note) => typeof note === 'string')
}

/** The totals over all files with counted lines. */
export const sumOf = (files: readonly CommitFile[]): { added: number; deleted: number } => ({
  added: files.reduce((sum, { added = 0 }) => sum + added, 0),
  deleted: files.reduce((sum, { deleted = 0 }) => sum + deleted, 0),
})
