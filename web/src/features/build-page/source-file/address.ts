/** `?source=src/a.ts:12` shows a line of a file next to the log. */
/** A path and line, as a log names them. */
export interface LineOfFile {
  path: string
  line: number
}

export const readSource = (value: string | null): LineOfFile | undefined => {
  const [, path = '', line = ''] = /^(.{1,1000}):([1-9]\d{0,6})$/.exec(value ?? '') ?? []
  return path === '' ? undefined : { path, line: Number(line) }
}

export const printSource = ({ path, line }: LineOfFile): string => `${path}:${line}`
