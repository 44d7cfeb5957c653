import { expect, test } from 'vitest'

import { asModule } from './react-modules-plugin.ts'

test('a file of React becomes a module of the same names', () => {
  const code = `"use strict";
var Scheduler = require("scheduler"),
  React = require("react");
var log = Scheduler.log, now = Scheduler.now, inside = { React: React.use };
exports.now = void 0;
if (inside) exports.now = function () { return exports.later(now) };
exports.later =
  React.use;
`
  const known: Record<string, string[]> = { scheduler: ['now'], react: ['use'] }
  expect(asModule(code, (source) => known[source] ?? [])).toBe(`import * as Scheduler from 'scheduler'
import * as React from 'react'
"use strict";
var log = undefined, now = Scheduler.now, inside = { React: React.use };
let exported_now = void 0;
if (inside) exported_now = function () { return exported_later(now) };
let exported_later =
  React.use;

export { exported_now as now, exported_later as later }
`)
})
