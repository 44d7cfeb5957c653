/** The first line that has text, without blanks around it. */
export const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0]?.trimEnd() ?? ''
