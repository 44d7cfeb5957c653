// `node tools/crash-points.mjs`: ends a real server, or lets its writes fail, at every operation
// during a build, and checks that it keeps its promises (server/src/testing/crash). Run on demand:
// each case takes some seconds, and there are five kinds of faults for about a thousand operations.
//   EVERY=10 node tools/crash-points.mjs              every tenth operation
//   FROM=300 TO=400 KINDS=kill,EIO node tools/crash-points.mjs
// KINDS: kill, tear, ENOSPC, EIO, EROFS. LENGTH: the number of successive operations that fail
// (12). PARALLEL: servers at the same time (2).
import { checkNode, install, program, run } from './lib/project.mjs'

checkNode()
install()
const { EVERY = '1', FROM, TO, KINDS, LENGTH, PARALLEL } = process.env
const given = Object.entries({ EVERY, FROM, TO, KINDS, LENGTH, PARALLEL }).filter(([, value]) => value !== undefined)
const env = Object.fromEntries(given.map(([name, value]) => [`CRASH_${name}`, value]))
const { status } = await run(program('vitest'), ['run', 'server/src/testing/crash', '--disable-console-intercept'], {
  env,
  limit: 24 * 60 * 60_000,
})
process.exitCode = status
