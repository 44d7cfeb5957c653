export { DeploymentDialog } from './deployment-dialog.tsx'
export { deploymentRequest } from './deployment-request.ts'
export { NewBuildDialog } from './new-build-dialog.tsx'
export { newBuildRequest } from './new-build-request.ts'
