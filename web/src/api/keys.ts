/** Parameters of each reading call; with the endpoint's name in front they are its key in the cache. */
type Repo = [namespace: string, name: string]

export interface Reads {
  getUser: []
  createToken: []
  listRepos: []
  listRecent: []
  getRepo: Repo
  listBuilds: Repo
  getBuild: [...Repo, number: number]
  listBranches: Repo
  listDeployments: Repo
  listSecrets: Repo
  listCron: Repo
  listCollaborators: Repo
  findInvitation: [value: string]
  listUsers: []
}

export type Endpoint = keyof Reads
export type Key<E extends Endpoint = Endpoint> = readonly [E, ...Reads[E]]

/** The one way to name what a call has read: `keyOf('listSecrets', namespace, name)`. */
export const keyOf = <E extends Endpoint>(endpoint: E, ...parameters: Reads[E]): Key<E> => [endpoint, ...parameters]
