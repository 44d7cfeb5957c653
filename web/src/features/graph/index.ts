export { prepareLayout } from './use-layout.ts'
export type { Size as ViewSize } from './layout/camera.ts'
export { GraphView, type GraphViewProps } from './graph-view.tsx'
