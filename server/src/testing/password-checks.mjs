/**
 * For tests: loaded into a server (`node --import`), it adds to each response the number of
 * passwords that were checked since the request arrived. Counted inside the server, because a test
 * cannot know how many responses were on their way when it sent its request.
 */
import crypto from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { syncBuiltinESMExports } from 'node:module'

let checked = 0
const { scrypt } = crypto
crypto.scrypt = (...all) => {
  const done = all.pop()
  scrypt(...all, (...results) => {
    checked += 1
    done(...results)
  })
}
syncBuiltinESMExports()

subscribe('http.server.request.start', ({ response }) => {
  const before = checked
  const { writeHead } = response
  response.writeHead = (...all) => {
    response.setHeader('x-passwords-checked', checked - before)
    return writeHead.apply(response, all)
  }
})
