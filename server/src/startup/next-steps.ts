/** What a newcomer does next: the last two lines of a start. */
export interface StartState {
  all: number
  active: number
  /** The repository to begin with (first-repo.ts), by its slug. */
  first: string | null
}

/** `folder` is that of `--repos`; without one there is the sample. */
export function nextSteps({ all, active, first }: StartState, folder: string | undefined, url: string): string[] {
  if (first === null) {
    return [
      `put a Git repository (bare or with a work tree) at ${folder ?? 'the folder of --repos'}/{namespace}/{name}`,
      `sign in at ${url}, press Sync, open the repository and activate it`,
    ]
  }
  const page = `${url}/${first}`
  const others = all > 1 ? ` (or another of the ${all})` : ''
  if (active === 0) {
    return [
      `open ${page}${others} and press "Activate Repository": its page then offers the first build`,
      'from then on each new commit is built within five seconds',
    ]
  }
  return [
    `open ${page} and press "New Build", or commit to it: each new commit is built within five seconds`,
    folder === undefined
      ? 'your own repositories: start again with "npm start -- --repos FOLDER" ({namespace}/{name} below it)'
      : active === all
        ? all === 1
          ? 'its repository is active'
          : `all ${all} repositories are active`
        : `${active} of ${all} repositories ${active === 1 ? 'is' : 'are'} active; activate the others on their pages`,
  ]
}
