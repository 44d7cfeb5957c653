/** The version of the whole product; `package.json` at the top says the same. */
export const version = '0.1.0'
