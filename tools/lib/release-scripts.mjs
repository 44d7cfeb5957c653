/** The guides and the start's own advice say `npm start -- …`: that works in an unpacked release, too. */
export const releaseScripts = { start: 'exec node server/dist/main.js' }
