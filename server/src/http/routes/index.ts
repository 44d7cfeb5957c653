/** The handler of every call of the table in `access.ts`; a call without one does not compile. */
import type { RouteName } from '../access.ts'
import type { Handler, HttpDependencies } from '../context.ts'
import { accountRoutes } from './account.ts'
import { auditRoutes } from './audit.ts'
import { badgesRoutes } from './badges.ts'
import { buildActionRoutes } from './build-actions.ts'
import { buildsRoutes } from './builds.ts'
import { cardsRoutes } from './cards.ts'
import { collaboratorsRoutes } from './collaborators.ts'
import { commitsRoutes } from './commits.ts'
import { cronRoutes } from './cron.ts'
import { environmentsRoutes } from './environments.ts'
import { favoritesRoutes } from './favorites.ts'
import { feedsRoutes } from './feeds.ts'
import { viewsRoutes } from './views.ts'
import { wallRoutes } from './wall.ts'
import { forgeRoutes } from './forge.ts'
import { lastBuildsRoutes } from './last-builds.ts'
import { linkRoutes } from './link.ts'
import { invitationRoutes } from './invitations.ts'
import { logSearchRoutes } from './log-search.ts'
import { logsRoutes } from './logs.ts'
import { metricsRoutes } from './metrics.ts'
import { orgSecretsRoutes } from './org-secrets.ts'
import { queueRoutes } from './queue.ts'
import { remoteRoutes } from './remote.ts'
import { reposRoutes } from './repos.ts'
import { retentionRoutes } from './retention.ts'
import { runnersRoutes } from './runners.ts'
import { searchRoutes } from './search.ts'
import { sealingRoutes } from './sealing.ts'
import { secretsRoutes } from './secrets.ts'
import { sourcesRoutes } from './sources.ts'
import { streamsRoutes } from './streams.ts'
import { systemRoutes } from './system.ts'
import { unservedRoutes } from './unserved.ts'
import { userRoutes } from './user.ts'
import { usersRoutes } from './users.ts'

export const handlersOf = (dependencies: Required<HttpDependencies>): Record<RouteName, Handler> => ({
  ...userRoutes(dependencies),
  ...accountRoutes(dependencies),
  ...auditRoutes(dependencies),
  ...favoritesRoutes(dependencies),
  ...feedsRoutes(dependencies),
  ...lastBuildsRoutes(dependencies),
  ...viewsRoutes(dependencies),
  ...wallRoutes(dependencies),
  ...usersRoutes(dependencies),
  ...invitationRoutes(dependencies),
  ...remoteRoutes(dependencies),
  ...forgeRoutes(dependencies),
  ...reposRoutes(dependencies),
  ...retentionRoutes(dependencies),
  ...sealingRoutes(dependencies),
  ...collaboratorsRoutes(dependencies),
  ...buildsRoutes(dependencies),
  ...buildActionRoutes(dependencies),
  ...commitsRoutes(dependencies),
  ...environmentsRoutes(dependencies),
  ...logsRoutes(dependencies),
  ...logSearchRoutes(dependencies),
  ...searchRoutes(dependencies),
  ...sourcesRoutes(dependencies),
  ...secretsRoutes(dependencies),
  ...cronRoutes(dependencies),
  ...streamsRoutes(dependencies),
  ...badgesRoutes(dependencies),
  ...orgSecretsRoutes(dependencies),
  ...cardsRoutes(dependencies),
  ...unservedRoutes(),
  ...queueRoutes(dependencies),
  ...runnersRoutes(dependencies),
  ...systemRoutes(dependencies),
  ...metricsRoutes(dependencies),
  ...linkRoutes(dependencies),
})
