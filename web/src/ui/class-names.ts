/** Joins the class lists that are given. */
export const cx = (...lists: (string | false | null | undefined)[]): string => lists.filter(Boolean).join(' ')
