import { createPipelineFiles } from '../pipeline-files/pipeline-files.ts'
import { workerScript } from './bundles.ts'

/**
 * For tests: shared by the whole process, because starting its threads takes longer than most
 * tests.
 */
export const pipelineFiles = createPipelineFiles({ script: workerScript })
