/**
 * Guides and the server's help say `npm start -- …`, which must also work in an unpacked release.
 */
export const releaseScripts = { start: 'exec node server/dist/main.js' }
