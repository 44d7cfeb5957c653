/**
 * The parameters and response of each call, derived from its row in the endpoint table. Types only,
 * so nothing is bundled.
 */
import type { Endpoints } from './endpoints/index.ts'
import type { Json, SchemaName } from './schemas.ts'
import type {
  Build,
  BuildDetails,
  BuildHistory,
  Collaborator,
  CreatedUser,
  Cron,
  CronTimes,
  FilteredBuilds,
  Invitation,
  KnownLines,
  Line,
  Permissions,
  Repo,
  RepoPatch,
  RepoTimes,
  RepoWithBuild,
  SearchAnswer,
  Secret,
  SecretUses,
  SourceAuthors,
  SourceFile,
  StepChanges,
  UsualTimes,
  User,
  UserWithToken,
} from './types.ts'
import type { Commit } from './commits.ts'
import type { Runners } from './runners.ts'

/** Entities with a handwritten, documented type. All others are inferred from their schema. */
interface Written {
  User: User
  UserWithToken: UserWithToken
  CreatedUser: CreatedUser
  Invitation: Invitation
  Repo: Repo
  PlainRepo: Repo
  RepoWithLatest: Repo
  RepoWithBuild: RepoWithBuild
  RepoPatch: RepoPatch
  Permissions: Permissions
  Collaborator: Collaborator
  Secret: Secret
  SecretUses: SecretUses
  Cron: Cron
  CronTimes: CronTimes
  Build: Build
  ListedBuild: Build
  StartedBuild: Build | null
  BuildDetails: BuildDetails
  BuildHistory: BuildHistory
  FilteredBuilds: FilteredBuilds
  Line: Line
  KnownLines: KnownLines | null
  StepChanges: StepChanges | null
  SourceFile: SourceFile
  SourceAuthors: SourceAuthors
  UsualTimes: UsualTimes
  RepoTimes: RepoTimes
  SearchAnswer: SearchAnswer
  Commit: Commit
  Runners: Runners
}
type Entity<N> = N extends keyof Written ? Written[N] : N extends SchemaName ? Json<N> : unknown

export type RowName = keyof Endpoints
export type CallOf<N extends RowName> = Endpoints[N]['call']
/** The row of a call. */
type RowOf<C> = { [N in RowName]: Endpoints[N] extends { call: C } ? Endpoints[N] : never }[RowName]

type Part<K> = K extends 'owner'
  ? [namespace: string]
  : K extends 'number'
    ? [number: number]
    : K extends 'stage'
      ? [stage: number]
      : K extends 'step'
        ? [step: number]
        : [name: string]
/** The path parameters of a call, in order. */
type Parts<P> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer K}/${infer More}`
    ? [...Part<K>, ...Parts<`/${More}`>]
    : Part<Rest>
  : []

interface QueryTypes {
  string: string
  integer: number
  boolean: boolean
}
type QueryOf<Q> = { [K in keyof Q as K extends '*' ? string : K]?: K extends '*' ? never : Value<Q[K]> | undefined }
type Value<T> = T extends keyof QueryTypes ? QueryTypes[T] : never
/** A query with `*` takes keys of any name. */
type QueryInput<Q> = Q extends { '*': string } ? Record<string, string | number | boolean | undefined> : QueryOf<Q>

/** The argument after the path parameters: a body, or an optional query. */
type Input<R> = R extends { body: infer B }
  ? [body: Entity<B>]
  : R extends { query: infer Q }
    ? [query?: QueryInput<Q>]
    : []

export type AnswerOf<C> =
  RowOf<C> extends { answer: infer A } ? (A extends `${infer N}[]` ? Entity<N>[] : Entity<A>) : never
export type InputOf<C> = [...Parts<C>, ...Input<RowOf<C>>]
export type Method<C> = (...input: InputOf<C>) => Promise<AnswerOf<C>>
/** Calls that have a body. */
export type CallWithBody = Extract<Endpoints[RowName], { body: SchemaName }>['call']
export type ReadCall = Extract<Endpoints[RowName]['call'], `GET ${string}`>
