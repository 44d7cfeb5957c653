/**
 * The contract as schemas, for tests: every entity and every response. The browser checks far less
 * (shapes.ts).
 */
export * from './schema-builds.ts'
export * from './schema-commits.ts'
export * from './schema-endpoints.ts'
export * from './schema-repos.ts'
export * from './schema-system.ts'
export { schemas, type SchemaName } from './schemas.ts'
