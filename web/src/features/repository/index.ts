export { BuildRow } from './build-row.tsx'
export { RowsSkeleton } from './skeletons.tsx'
