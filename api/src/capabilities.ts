/**
 * What this server offers beyond Drone's API. `GET /api/user` lists it. Other servers do not send
 * the key; the page then shows only what every Drone server has.
 */
export const capabilities = [
  /** Roles on a repository, and the repositories of a new account. */
  'access',
  /** Named tokens in addition to the personal one. */
  'access_tokens',
  /**
   * The server manages accounts: invitations, passwords, and a last administrator that cannot be
   * deleted.
   */
  'accounts',
  /** The audit log of rights, secrets, settings, tokens, approvals and deployments. */
  'audit',
  /** Badges for a stage, an event or a branch pattern. */
  'badge_filters',
  /** Counts the builds that match a filter, by status and event. */
  'build_counts',
  /** The pipeline file of a build, its attempts, and the commands of waiting stages. */
  'build_details',
  /** Filters builds over the whole history. */
  'build_filters',
  /** Commit pages. */
  'commits',
  /** Changes the expression of a cron job and lists its next runs. */
  'cron_expressions',
  /** Reports the time zone of cron jobs. */
  'cron_time_zone',
  /**
   * Environments: who can deploy, the deployment history, and the differences between two commits.
   */
  'environments',
  /** Repositories that a user pins to the top of the dashboard. */
  'favorites',
  /** Atom feeds of builds. */
  'feeds',
  /** The log lines of the step's last successful run. */
  'known_lines',
  /** The last builds of many repositories in one response. */
  'last_builds',
  /** Searches the logs of a build and of the last builds. */
  'log_search',
  /** A namespace belongs to the user it is named after. */
  'personal_namespaces',
  /** Reruns a part of a build. */
  'restart_part',
  /** Removes old builds and logs every night. */
  'retention',
  /** The runners and the queue. */
  'runners',
  /** Searches builds that the page has not loaded. */
  'search',
  /** Lists the pipelines that use each secret. */
  'secret_uses',
  /** Lists a user's sessions and ends them. */
  'sessions',
  /** Files at a build's commit, with the last author of each line. */
  'source',
  /** What changed since a step last passed. */
  'step_changes',
  /** How often a step has failed with the same error before. */
  'step_history',
  /** A script that runs a step on another machine. */
  'step_script',
  /** The durations of steps in the last builds of a branch. */
  'step_times',
  /** Users can replace their own token. */
  'token_rotation',
  /** The usual duration of a build and its steps. */
  'usual_times',
  /** Filters that users save for a list. */
  'views',
  /** Links to the wall, for screens without an account. */
  'wall_links',
] as const

export type Capability = (typeof capabilities)[number]
