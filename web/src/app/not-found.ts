import { lazyPart } from '../browser/lazy-part.tsx'

/** Not part of the first load: most users never see it, and pages that can show it load it. */
export const NotFound = lazyPart(async () => (await import('../features/common/not-found.tsx')).NotFound)
