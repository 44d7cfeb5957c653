/** The contract as schemas, for tests: every entity, and what each call answers. The browser validates nothing again. */
export * from './schema-builds.ts'
export * from './schema-endpoints.ts'
export * from './schema-repos.ts'
export * from './schema-system.ts'
