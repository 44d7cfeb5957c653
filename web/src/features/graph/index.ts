export { GraphView, type GraphViewProps } from './graph-view.tsx'
