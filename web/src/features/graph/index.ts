export { prepareLayout } from './use-layout.ts'
export { GraphView, type GraphViewProps } from './graph-view.tsx'
