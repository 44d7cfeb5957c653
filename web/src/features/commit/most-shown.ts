/** Files whose lines the server tells (server/src/source/git/changes.ts). */
export const mostShown = 50
