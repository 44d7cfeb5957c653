const grouped = new Intl.NumberFormat('en-US')

/** Thin separators above 9,999 (design.md "Words"). */
export const formatNumber = (value: number): string =>
  Math.abs(value) > 9_999 ? grouped.format(value).replaceAll(',', '\u2009') : String(value)

export const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0]?.trimEnd() ?? ''

/** "Title where there is one, else the message's first line" (readings, "Repository"). */
export const buildTitle = (build: { title?: string | undefined; message?: string | undefined }): string =>
  build.title?.trim() || firstLine(build.message ?? '')
