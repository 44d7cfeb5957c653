export * from './console.ts'
