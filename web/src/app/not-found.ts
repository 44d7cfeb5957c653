import { lazyPart } from '../browser/lazy-part.tsx'

/** No part of the first load: most never see it, and pages that may answer with it bring it along. */
export const NotFound = lazyPart(async () => (await import('../features/common/not-found.tsx')).NotFound)
