/** The numbers and names in the URL of a step. */
export interface StepAddress {
  namespace: string
  name: string
  build: number
  stage: number
  step: number
}

/**
 * The file name of a downloaded log. The specification leaves it open; this one says where the file
 * is from.
 */
export const logFileName = ({ namespace, name, build, stage, step }: StepAddress): string =>
  `${namespace}-${name}-${build}-${stage}-${step}.log`
