export * from './types.ts'
export * from './status.ts'
export * from './errors.ts'
export * from './without-end.ts'
