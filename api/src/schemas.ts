/** The schemas by the names that rows of the table of endpoints and the OpenAPI document use. */
import * as z from 'zod/mini'
import * as builds from './schema-builds.ts'
import { commit } from './schema-commits.ts'
import { forge, repoConnection, syncProgress } from './schema-forge.ts'
import * as environments from './schema-environments.ts'
import * as inputs from './schema-inputs.ts'
import * as repos from './schema-repos.ts'
import * as retention from './schema-retention.ts'
import * as system from './schema-system.ts'

export const schemas = {
  User: system.user,
  UserWithToken: system.userWithToken,
  CreatedUser: system.createdUser,
  RotatedUser: system.rotatedUser,
  AuditEntry: system.auditEntry,
  AuditPage: system.auditPage,
  AccessToken: system.accessToken,
  CreatedAccessToken: system.createdAccessToken,
  Session: system.session,
  WallLink: system.wallLink,
  CreatedWallLink: system.createdWallLink,
  WallTile: system.wallTile,
  Wall: system.wall,
  Invitation: system.invitation,
  Invited: system.invited,

  Repo: repos.repo,
  PlainRepo: repos.plainRepo,
  RepoWithLatest: repos.repoWithLatest,
  RepoWithBuild: repos.repoWithBuild,
  RepoColumns: repos.repoColumns,
  RepoConnection: repoConnection,
  Retention: retention.retention,
  RetentionPatch: retention.retentionPatch,
  Permissions: repos.permissions,
  Collaborator: repos.collaborator,
  Person: repos.person,
  Secret: repos.secret,
  SecretUses: repos.secretUses,
  Cron: repos.cron,
  CronTimes: repos.cronTimes,
  Sealed: repos.sealed,
  Forge: forge,
  SyncProgress: syncProgress,

  Status: builds.status,
  Build: builds.build,
  ListedBuild: builds.listedBuild,
  StartedBuild: builds.startedBuild,
  BuildDetails: builds.buildDetails,
  BuildHistory: builds.buildHistory,
  FilteredBuilds: builds.filteredBuilds,
  Stage: builds.stage,
  Step: builds.step,
  Line: builds.line,
  Waiting: builds.waiting,
  Ended: builds.ended,
  LeftOut: builds.leftOut,
  RunnerNeeds: builds.runnerNeeds,
  KnownLines: builds.knownLines,
  StepChanges: builds.stepChanges,
  StepScript: builds.stepScript,
  SourceFile: builds.sourceFile,
  SourceAuthors: builds.sourceAuthors,
  UsualTimes: builds.usualTimes,
  RepoTimes: builds.repoTimes,
  SearchAnswer: builds.searchAnswer,
  Commit: commit,
  Environment: environments.environment,
  EnvironmentRule: environments.environmentRule,
  Comparison: environments.comparison,

  Runners: system.runners,
  RunnerSecret: system.runnerSecret,
  RunningStage: system.queueItem,
  Stats: system.stats,
  Version: system.version,
  Varz: system.varz,
  Error: system.errorBody,

  EmailInput: inputs.emailInput,
  PasswordChange: inputs.passwordChange,
  AccessTokenInput: inputs.accessTokenInput,
  WallLinkInput: inputs.wallLinkInput,
  WallToken: inputs.wallToken,
  SavedViewInput: system.savedViewInput,
  InvitationInput: inputs.invitationInput,
  FirstPassword: inputs.firstPassword,
  ResetInput: inputs.resetInput,
  UserInput: inputs.userInput,
  UserPatch: inputs.userPatch,
  RepoPatch: repos.repoPatch,
  SecretInput: inputs.secretInput,
  SecretPatch: inputs.secretPatch,
  CronInput: inputs.cronInput,
  CronPatch: inputs.cronPatch,
  EnvironmentRuleInput: environments.environmentRuleInput,
  CardInput: inputs.cardInput,

  Card: z.unknown(),
  Document: z.record(z.string(), z.unknown()),
  Id: z.int(),
  Template: inputs.template,
}
export type SchemaName = keyof typeof schemas
/** What JSON of this name is in TypeScript. */
export type Json<N extends SchemaName> = z.infer<(typeof schemas)[N]>
