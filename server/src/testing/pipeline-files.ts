import { createPipelineFiles } from '../pipeline-files/pipeline-files.ts'
import { workerScript } from './bundles.ts'

/** For tests: one for all of a process, since to start its threads costs more than most tests. */
export const pipelineFiles = createPipelineFiles({ script: workerScript })
