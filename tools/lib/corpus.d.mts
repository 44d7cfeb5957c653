export interface Label {
  tool: string
  exit: number
  /** Line numbers from 1; any of them is right. Empty where nothing failed. */
  lines: number[]
}
export function readLogs(part: string): Map<string, string>
export function readLog(name: string): string
export function readLabels(part: string): Record<string, Label>
