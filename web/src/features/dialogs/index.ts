export { DeploymentDialog } from './deployment-dialog.tsx'
export { deploymentRequest, type DeploymentRequest } from './deployment-request.ts'
export { NewBuildDialog } from './new-build-dialog.tsx'
