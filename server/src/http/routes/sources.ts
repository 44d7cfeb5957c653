/**
 * The sources of a failed step: changes since the last successful run, and files that its log
 * mentions. Not part of Drone's API.
 */
import { json } from '../responses.ts'
import { param, repoOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { buildNumber, stageOrStepNumber } from '../number-params.ts'

const stepKeyOf = (c: Call) => ({
  repo: repoOf(c),
  number: buildNumber(param(c, 'number')),
  stage: stageOrStepNumber(param(c, 'stage')),
  step: stageOrStepNumber(param(c, 'step')),
})

/** Without a valid number, the first line is used. */
const namedLine = (c: Call) => {
  const line = c.req.query('line') ?? ''
  return { path: c.req.query('path') ?? '', line: /^\d{1,9}$/.test(line) ? Number(line) : 1 }
}

export function sourcesRoutes({ ci }: HttpDependencies) {
  return {
    'GET /api/repos/:owner/:name/builds/:number/changes/:stage/:step': async (c) =>
      json(await ci.stepChanges(stepKeyOf(c), c.req.raw.signal)),
    'GET /api/repos/:owner/:name/builds/:number/source': async (c) =>
      json(await ci.sourceFile(repoOf(c), buildNumber(param(c, 'number')), namedLine(c), c.req.raw.signal)),
    'GET /api/repos/:owner/:name/builds/:number/authors/:stage/:step': async (c) =>
      json(await ci.sourceAuthors(stepKeyOf(c), namedLine(c), c.req.raw.signal)),
  } satisfies Record<string, Handler>
}
