export { useRepo } from './use-repo.ts'
