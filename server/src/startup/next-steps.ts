/** The next steps for a new user: the last two lines of the start message. */
export interface StartState {
  all: number
  active: number
  /** Slug of the suggested repository (first-repo.ts). */
  first: string | null
}

export interface Sources {
  /** The folder of `--repos`; without it, the server has the sample repository. */
  folder: string | undefined
  /** The name of the connected forge. */
  forge?: string | undefined
}

/** `url`: the public address. */
export function nextSteps({ all, active, first }: StartState, { folder, forge }: Sources, url: string): string[] {
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
    otherRepositories({ all, active }, { folder, forge }),
  ]
}

function otherRepositories({ all, active }: Omit<StartState, 'first'>, { folder, forge }: Sources): string {
  if (folder === undefined && forge !== undefined)
    return `your own repositories of ${forge}: sign in, press Sync and activate them on their pages`
  if (folder === undefined)
    return 'your own repositories: restart with "npm start -- --repos FOLDER", with each one at FOLDER/{namespace}/{name}'
  if (active < all)
    return `${active} of ${all} repositories ${active === 1 ? 'is' : 'are'} active; activate the others on their pages`
  return all === 1 ? 'its repository is active' : `all ${all} repositories are active`
}
