/** Joins class lists, ignoring empty ones. */
export const cx = (...lists: (string | false | null | undefined)[]): string => lists.filter(Boolean).join(' ')
