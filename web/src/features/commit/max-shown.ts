/** The number of files for which the server sends lines (server/src/source/git/changes.ts). */
export const maxShown = 50
