export { useRepo } from './use-repo.ts'
export { rememberRepo } from './remember-repo.ts'
