const grouped = new Intl.NumberFormat('en-US')

/** Thin separators above 9,999 (design.md "Words"). */
export const formatNumber = (value: number): string =>
  Math.abs(value) > 9_999 ? grouped.format(value).replaceAll(',', '\u2009') : String(value)

export const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0]?.trimEnd() ?? ''

/** Something that can be seen: more than blanks and marks without a shape. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Z}\p{M}]/u

/** "Title where there is one, else the message's first line" (readings, "Repository"). */
export const buildTitle = (build: { title?: string | undefined; message?: string | undefined }): string =>
  [build.title?.trim(), firstLine(build.message ?? '')].find((text) => text && visible.test(text)) ?? ''
