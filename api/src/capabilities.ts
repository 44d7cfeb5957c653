/**
 * What this server offers beyond Drone's API. `GET /api/user` lists it; another server sends no such key, and the page then shows
 * what every Drone server has.
 */
export const capabilities = [
  /** Roles of people on a repository, and repositories for a new account. */
  'access',
  /** Named tokens beside the personal one. */
  'access_tokens',
  /** Accounts are kept here: invitations, passwords, and a last administrator that cannot be deleted. */
  'accounts',
  /** The audit log of rights, secrets, settings, tokens, approvals and deployments. */
  'audit',
  /** Badges of a stage, an event or a pattern of branches. */
  'badge_filters',
  /** The builds that a filter finds are counted, by status and by event. */
  'build_counts',
  /** The pipeline file of a build, its attempts, and what waiting stages run. */
  'build_details',
  /** Builds of the whole history are filtered by the server. */
  'build_filters',
  /** Pages of commits. */
  'commits',
  /** The expression of a cron job can be changed, and its next runs are listed. */
  'cron_expressions',
  /** The time zone of cron jobs is known. */
  'cron_time_zone',
  /** The people that may deploy to an environment, its history, and what differs between two commits. */
  'environments',
  /** Repositories at the top of the dashboard, for each person. */
  'favorites',
  /** Atom feeds of builds. */
  'feeds',
  /** The lines of a log from when its step last passed. */
  'known_lines',
  /** The last builds of many repositories in one answer. */
  'last_builds',
  /** The server searches the logs of a build and of the last builds. */
  'log_search',
  /** A namespace belongs to the person it is named after. */
  'personal_namespaces',
  /** Part of a build can run again. */
  'restart_part',
  /** Old builds and logs can be removed each night. */
  'retention',
  /** The page of runners and the queue. */
  'runners',
  /** The search finds builds that the page has not loaded. */
  'search',
  /** It is known which pipelines use which secret. */
  'secret_uses',
  /** The own sessions are listed and ended. */
  'sessions',
  /** Files at a build's commit, with the last author of each line. */
  'source',
  /** What changed since a step last passed. */
  'step_changes',
  /** How often a step failed like this before. */
  'step_history',
  /** A script that runs a step elsewhere. */
  'step_script',
  /** How long steps took in the last builds of a branch. */
  'step_times',
  /** The own token can be replaced. */
  'token_rotation',
  /** How long a build and its steps usually take. */
  'usual_times',
  /** Filters of lists that each person saves under a name. */
  'views',
  /** Links to the wall for screens without an account. */
  'wall_links',
] as const

export type Capability = (typeof capabilities)[number]
