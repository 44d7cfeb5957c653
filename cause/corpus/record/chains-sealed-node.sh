#!/usr/bin/env bash
# Chains of JavaScript commands for the sealed part.
. "$(dirname "$0")/chains-lib.sh"
[ "$OUT" != "$here/.." ] || OUT=$here/../sealed

new tape-deep-equal tape
tarball $CHAINS/src/npm/deep-equal-2.0.5.tgz
edit index.js 's/a\.getTime\(\) === b\.getTime\(\)|\$getTime\(a\) !== \$getTime\(b\)/$getTime(a) === $getTime(b)/'
pkg '    "test": "tape \x27test/**/*.js\x27",\n    "posttest": "echo audited"' '    "tape": "^5.6.3",\n    "has-typed-arrays": "^1.0.0",\n    "object.getownpropertydescriptors": "^2.1.1",\n    "semver": "^6.3.0",\n    "has-symbols": "^1.0.1",\n    "call-bind": "^1.0.0",\n    "es-get-iterator": "^1.1.1",\n    "get-intrinsic": "^1.0.1",\n    "is-arguments": "^1.0.4",\n    "is-date-object": "^1.0.2",\n    "is-regex": "^1.1.1",\n    "isarray": "^2.0.5",\n    "object-is": "^1.1.4",\n    "object-keys": "^1.1.1",\n    "object.assign": "^4.1.2",\n    "regexp.prototype.flags": "^1.3.0",\n    "side-channel": "^1.0.3",\n    "which-boxed-primitive": "^1.0.1",\n    "which-collection": "^1.0.1",\n    "which-typed-array": "^1.1.2"'
run <<'END'
node -v
npm ci
npm test
END

new tape-qs-nyc tape
tarball $CHAINS/src/npm/qs-6.11.0.tgz
edit lib/utils.js 's/i < 256/i < 250/;s/obj\.length - 1/obj.length/'
pkg '    "pretest": "eslint --no-eslintrc --parser-options=ecmaVersion:2018 --rule \x27complexity: [1, 10]\x27 --rule \x27max-depth: [1, 2]\x27 lib test",\n    "test": "nyc tape \x27test/**/*.js\x27"' '    "eslint": "8.8.0",\n    "nyc": "^15.1.0",\n    "tape": "^5.6.3",\n    "for-each": "^0.3.3",\n    "has-symbols": "^1.0.3",\n    "iconv-lite": "^0.5.1",\n    "object-inspect": "^1.12.2",\n    "qs-iconv": "^1.0.4",\n    "safer-buffer": "^2.1.2",\n    "side-channel": "^1.0.4"'
run <<'END'
npm ci
npm test
npm pack
END

new uvu uvu
pkg '    "test": "uvu test"' '    "uvu": "^0.5.6"'
many 30 test/error@.js <<'E'
const { test } = require('uvu'); const assert = require('uvu/assert')
test('throws @', () => assert.throws(() => { throw new Error('failed @') }, /failed/))
test.run()
E
put test/slug.js <<'E'
const { test } = require('uvu'); const assert = require('uvu/assert')
const slug = (s) => s.toLowerCase().replace(' ', '-')
test('replaces one blank', () => assert.is(slug('An error'), 'an-error'))
test('replaces all blanks', () => assert.is(slug('An error is here'), 'an-error-is-here'))
test.run()
E
run <<'END'
npm ci
npm test
END

new grunt grunt
pkg '    "build": "grunt --verbose"' '    "grunt": "^1.6.0",\n    "grunt-cli": "^1.4.0"'
put Gruntfile.js <<'E'
module.exports = (grunt) => {
  grunt.registerTask('errors', () => { for (let i = 0; i < 30; i++) grunt.log.writeln('error page ' + i) })
  grunt.registerTask('check', () => { const v = grunt.file.readJSON('version.json').version; if (!/^\d+\.\d+\.\d+$/.test(v)) grunt.fail.warn(`version "${v}" is not a semantic version`) })
  grunt.registerTask('default', ['errors', 'check'])
}
E
put version.json <<'E'
{ "version": "3.4" }
E
run <<'END'
npm ci
npm run build
END

new nx-run-many nx
[ -n "$SKIP" ] || for p in shop admin mail; do mkdir -p libs/$p; printf '{ "name": "%s", "root": "libs/%s", "targets": { "test": { "command": "node libs/%s/test.js" }, "lint": { "command": "echo 0 errors" } } }\n' $p $p $p > libs/$p/project.json; printf "for (let i = 0; i < 200; i++) console.log('  ok', i, 'error is mapped')\n" > libs/$p/test.js; done
[ -n "$SKIP" ] || printf "require('assert').strictEqual(encodeURIComponent('a b'), 'a+b', 'subject is form-encoded')\n" >> libs/mail/test.js
put nx.json <<'E'
{ "targetDefaults": { "test": { "cache": false } } }
E
[ -n "$SKIP" ] || { printf '{ "name": "root", "private": true }\n' > package.json; cp -al $CHAINS/cache/nx/node_modules node_modules; }
export NX_DAEMON=false
run <<'END'
npx nx run-many -t lint
npx nx run-many -t test --parallel=2 --output-style=stream
END

new run-p-check tsc
pkg '    "check": "run-p --print-label --continue-on-error lint types unit",\n    "lint": "node lint.js",\n    "types": "tsc --noEmit --pretty false",\n    "unit": "node --test --test-reporter=spec test/"' '    "npm-run-all2": "^6.0.0",\n    "typescript": "5.4.5"'
put lint.js <<'E'
let i = 0; const t = setInterval(() => { console.log(`src/m${i}.ts:1 warning  error is never used  no-unused-vars`); if (++i > 80) clearInterval(t) }, 20)
E
put tsconfig.json <<'E'
{ "compilerOptions": { "strict": true, "target": "ES2022", "skipLibCheck": true, "types": [] }, "include": ["src"] }
E
many 40 src/m@.ts <<'E'
export type Error@ = { failed: boolean; code: @ }
E
put src/index.ts <<'E'
import { Error7 } from './m7'
export const e: Error7 = { failed: true, code: 7 }
export function report(list: Error7[]): string { return list.map((x) => x.message).join() }
E
many 12 test/t@.test.js <<'E'
const { test } = require('node:test')
test('error @ is shown', () => console.error('Error: failed @ (expected)'))
E
run <<'END'
npm ci
npm run check
END

new deno-check deno
put main.ts <<'E'
const errors: Map<string, number> = new Map()
errors.set('failed', '3')
console.log(errors)
E
run <<'END'
deno check main.ts
deno run main.ts
END

new bun-test bun
put cart.test.ts <<'E'
import { expect, test, describe } from 'bun:test'
describe('errors', () => { for (let i = 0; i < 70; i++) test(`error ${i}`, () => { console.error('Error: failed', i); expect(() => { throw new Error('x') }).toThrow() }) })
test('adds the tax once', () => { expect(Math.round(100 * 1.19 * 1.19)).toBe(119) })
E
run <<'END'
bun --version
bun install --frozen-lockfile || true
bun test
END

new tsup-dts tsup
pkg '    "build": "tsup src/index.ts --dts --format esm,cjs"' '    "tsup": "^8.0.0",\n    "typescript": "5.4.5"'
put tsconfig.json <<'E'
{ "compilerOptions": { "strict": true, "target": "ES2022", "module": "ESNext", "moduleResolution": "bundler", "skipLibCheck": true, "types": [] } }
E
put src/index.ts <<'E'
export interface Options { onError?: (e: Error) => void; retries: number }
export const start = (o: Options): void => { o.onError(new Error('failed')) }
E
run <<'END'
npm install --no-package-lock
npm run build
END

new knex-migrate knex
pkg '    "migrate": "knex migrate:latest --verbose"' '    "knex": "^3.0.0",\n    "pg": "^8.0.0"'
put knexfile.js <<'E'
module.exports = { client: 'pg', connection: { host: process.env.PGHOST, user: 'postgres', database: 'postgres' } }
E
[ -n "$SKIP" ] || { mkdir migrations; for i in $(seq 10 34); do printf "exports.up = (k) => k.schema.createTable('errors_$i', (t) => { t.increments(); t.text('failed') })\nexports.down = (k) => k.schema.dropTable('errors_$i')\n" > migrations/202601$i.js; done; printf "exports.up = async (k) => { await k('errors_10').insert([{ failed: 'a' }, { failed: 'a' }]); await k.schema.alterTable('errors_10', (t) => t.unique(['failed'])) }\nexports.down = () => {}\n" > migrations/20260201.js; }
PRE='export PGDATA=/tmp/cb/pg3 PGHOST=/tmp/cb/pgu; rm -rf $PGDATA $PGHOST; mkdir -p $PGDATA $PGHOST; chown -R postgres $PGDATA $PGHOST; P=$(dirname $(ls /usr/lib/postgresql/*/bin/initdb)); su postgres -c "$P/initdb -D $PGDATA && $P/pg_ctl -D $PGDATA -w -o \"-k $PGHOST -c listen_addresses=\" start -l /tmp/cb/pgu/log"; export PGUSER=postgres PGDATABASE=postgres'
run <<'END'
npm ci
npm run migrate
npm test
END
PRE=

new npm-badplatform npm
put package.json <<'E'
{ "name": "acme", "version": "1.0.0", "dependencies": { "fsevents": "2.3.3", "he": "1.2.0" } }
E
[ -n "$SKIP" ] || npm install --package-lock-only --ignore-scripts --force > /dev/null 2>&1
run <<'END'
npm config get registry > /dev/null
npm ci
npm test
END

new npm-ci-refused npm
pkg '    "test": "node --test"' '    "he": "1.2.0",\n    "mustache": "4.2.0",\n    "is-odd": "3.0.1"'
[ -n "$SKIP" ] || { sed -i -E 's#https://[^/]+/#http://127.0.0.1:4873/#' package-lock.json; printf 'registry=http://127.0.0.1:4873/\nfetch-retries=1\nfetch-retry-mintimeout=100\nfetch-retry-maxtimeout=200\ncache=/tmp/cb/emptycache\n' > .npmrc; rm -rf /tmp/cb/emptycache; }
run <<'END'
npm --version
npm ci --loglevel http
npm test
END

new husky-prepare npm
pkg '    "prepare": "husky install",\n    "test": "mocha"' '    "mocha": "^10.0.0"'
run <<'END'
npm ci --omit=dev
npm test
END

new c8-threshold c8
pkg '    "test": "c8 --check-coverage --branches 90 --reporter text node --test"' '    "c8": "^9.0.0"'
many 20 src/e@.js <<'E'
exports.error@ = (n) => (n > @ ? 'failed' : n < 0 ? 'negative' : 'ok')
E
many 20 test/e@.test.js <<'E'
const { test } = require('node:test'); const assert = require('node:assert')
test('error @', () => assert.equal(require('../src/e@').error@(99), 'failed'))
E
run <<'END'
npm ci
npm test
END

new playwright-timeout playwright
pkg '    "e2e": "playwright test"' '    "@playwright/test": "^1.45.0"'
put playwright.config.js <<'E'
module.exports = { testDir: 'e2e', reporter: 'list', timeout: 15000, expect: { timeout: 2000 }, use: { launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] } } }
E
put e2e/error.spec.js <<'E'
const { test, expect } = require('@playwright/test')
for (let i = 0; i < 4; i++) test('shows error ' + i, async ({ page }) => { await page.setContent(`<p class=error>failed ${i}</p>`); await expect(page.locator('.error')).toHaveText('failed ' + i) })
test('saves the form', async ({ page }) => {
  await page.setContent('<form><input name=title><button disabled>Save</button></form><p role=status></p>')
  await page.fill('input', 'Errors')
  await expect(page.getByRole('status')).toHaveText('Saved')
})
E
run <<'END'
npm install --no-package-lock
npm run e2e
END

new vitest-hook-timeout vitest
pkg '    "test": "vitest run --reporter=verbose"' '    "vitest": "^1.6.0"'
put src/db.test.js <<'E'
import { beforeAll, afterAll, expect, it } from 'vitest'
beforeAll(() => new Promise(() => { setInterval(() => console.log('waiting for database: connection failed, retry'), 30) }), 1500)
afterAll(() => console.log('closing pool'))
it('reads errors', () => expect(1).toBe(1))
E
many 40 src/ok@.test.js <<'E'
import { expect, it } from 'vitest'
it('maps error @', () => { console.error('Error: upstream @ failed'); expect(@).toBe(@) })
E
run <<'END'
npm install --no-package-lock
npm test
END

new mocha-timeout-cleanup mocha
pkg '    "test": "mocha --exit"' '    "mocha": "^10.0.0"'
put test/a.js <<'E'
describe('errors', () => { for (let i = 0; i < 200; i++) it('case ' + i, () => console.log('      [api] ERROR 500 /failed/' + i)) })
describe('upload', () => { it('finishes a file of 10 MB', async function () { this.timeout(800); await new Promise(() => setInterval(() => console.log('      [api] part uploaded, 0 errors'), 100)) }) })
after(() => { for (let i = 0; i < 400; i++) console.log(`cleanup: removed bucket error-${i}`) })
E
run <<'END'
npm ci
npm test
END

new start-server-and-test node
pkg '    "start": "node server.js",\n    "e2e": "node -e 0",\n    "ci": "start-server-and-test start http-get://127.0.0.1:4571 e2e"' '    "start-server-and-test": "^2.0.0"'
put server.js <<'E'
for (let i = 0; i < 25; i++) console.log(`[boot] error handler ${i} registered`)
if (!process.env.SESSION_SECRET) throw new Error('SESSION_SECRET is not set')
E
run <<'END'
npm ci
npm run ci
END

new webpack-performance webpack
pkg '    "build": "webpack --mode production"' '    "webpack": "^5.90.0",\n    "webpack-cli": "^5.0.0",\n    "lodash": "^4.17.21"'
put webpack.config.js <<'E'
module.exports = { performance: { hints: 'error', maxAssetSize: 60000, maxEntrypointSize: 60000 } }
E
put src/index.js <<'E'
import _ from 'lodash'
window.errors = _.groupBy(window.failed, 'error')
E
run <<'END'
npm ci
npm run build
END

new svelte-check svelte-check
pkg '    "check": "svelte-check --tsconfig ./tsconfig.json"' '    "svelte": "^4.0.0",\n    "svelte-check": "^3.0.0",\n    "typescript": "5.4.5",\n    "tslib": "^2.6.0"'
put tsconfig.json <<'E'
{ "compilerOptions": { "strict": true, "target": "ES2022", "module": "ESNext", "moduleResolution": "bundler", "skipLibCheck": true, "types": [], "verbatimModuleSyntax": true }, "include": ["src"] }
E
many 10 src/Error@.svelte <<'E'
<script lang="ts">
  export let failed@: string
</script>
<img src={failed@}><p class="error">{failed@}</p>
E
put src/Total.svelte <<'E'
<script lang="ts">
  export let rows: { cents: number }[]
  $: total = rows.reduce((a, r) => a + r.cent, 0)
</script>
<p>{total}</p>
E
run <<'END'
npm ci
npm run check
END

new prettier-syntax prettier
[ -n "$SKIP" ] || cp -al $CHAINS/cache/lint/node_modules node_modules
many 80 src/e@.ts <<'E'
export const error@ = "failed";
E
put src/broken.ts <<'E'
export const list = [1, 2;
E
run <<'END'
npx prettier --check --log-level debug src
npx eslint src
END

new esm-ts-extension node
pkg '    "seed": "node --loader ./none.mjs --no-warnings seed.ts",\n    "pretest": "node seed.ts",\n    "test": "node --test"' '    "he": "1.2.0"' ',\n  "type": "module"'
put seed.ts <<'E'
const errors: number = 3
E
run <<'END'
npm ci
npm test
END

new jest-mock-calls jest
pkg '    "test": "jest --coverage --coverageReporters=text --coverageReporters=text-summary"' '    "jest": "^29.7.0"'
many 60 src/s@.js <<'E'
exports.s@ = (send) => { try { send('a@'); } catch (error) { console.warn('send failed', error.message) } }
E
many 60 src/s@.test.js <<'E'
const { s@ } = require('./s@')
it('survives a failed send @', () => { s@(() => { throw new Error('mail server is down') }) })
E
put src/notify.test.js <<'E'
const notify = (send, users) => users.forEach((u) => send(u.mail, 'build failed'))
describe('notify', () => {
  it('skips those who do not want mail', () => {
    const send = jest.fn()
    notify(send, [{ mail: 'a@example.com' }, { mail: 'b@example.com', quiet: true }])
    expect(send).toHaveBeenCalledTimes(1)
  })
})
E
run <<'END'
npm ci
npm test
END

new cucumber-js cucumber
pkg '    "test": "cucumber-js --format progress"' '    "@cucumber/cucumber": "^10.0.0"'
put features/a.feature <<'E'
Feature: Errors
  Scenario Outline: code
    Given code <c>
    Then it is an error
    Examples:
      | c   |
      | 404 |
      | 500 |
      | 503 |
  Scenario: success
    Given code 204
    Then it is empty
E
put features/steps.js <<'E'
const { Given, Then } = require('@cucumber/cucumber'); const assert = require('assert')
Given('code {int}', function (c) { this.c = c })
Then('it is an error', function () { assert(this.c >= 400) })
Then('it is empty', function () { assert.equal(this.c === 204 ? 'body' : '', '', 'a 204 has no body') })
E
run <<'END'
npm ci
npm test
END

new buf-lint buf
pkg '    "lint:proto": "buf lint"' '    "@bufbuild/buf": "^1.30.0"'
put buf.yaml <<'E'
version: v1
lint:
  use: [DEFAULT]
E
put acme/errors/v1/errors.proto <<'E'
syntax = "proto3";
package acme.errors.v1;
message Error { string failed = 1; int32 errorCode = 2; }
enum State { OK = 0; FAILED = 1; }
E
run <<'END'
npm install --no-package-lock
npm run lint:proto
END

new changeset-status changesets
pkg '    "release:check": "changeset status --since=main"' '    "@changesets/cli": "^2.27.0"' ',\n  "workspaces": ["packages/*"]'
put packages/errors/package.json <<'E'
{ "name": "@acme/errors", "version": "1.0.0" }
E
put .changeset/config.json <<'E'
{ "$schema": "", "baseBranch": "main", "access": "restricted", "changelog": false, "commit": false, "fixed": [], "linked": [], "updateInternalDependencies": "patch", "ignore": [] }
E
PRE='echo node_modules > .gitignore; git init -q -b main; git add .; git commit -qm "Start"; git checkout -qb fix; echo "export {}" > packages/errors/index.js; git add .; git commit -qm "Fix failed retries"'
run <<'END'
npm install --no-package-lock
npm run release:check
END
PRE=

new yarn-berry-immutable yarn
[ -n "$SKIP" ] || { printf '{ "name": "acme", "packageManager": "yarn@4.1.0", "dependencies": { "he": "1.2.0" } }\n' > package.json; mkdir -p tools && cd tools && npm pack -s @yarnpkg/cli-dist@4.1.0 > /dev/null 2>&1 && tar xzf *.tgz && mv package/bin/yarn.js ../yarn.cjs && cd .. && rm -r tools; printf 'nodeLinker: node-modules\nenableTelemetry: false\nenableGlobalCache: false\n' > .yarnrc.yml; node yarn.cjs install > /dev/null 2>&1; sed -i 's/"he": "1.2.0"/"he": "1.2.0", "mustache": "4.2.0"/' package.json; }
run <<'END'
node yarn.cjs --version
node yarn.cjs install --immutable
node yarn.cjs test
END

new dependency-cruiser depcruise
[ -n "$SKIP" ] || cp -al $CHAINS/cache/lint/node_modules node_modules
put .dependency-cruiser.cjs <<'E'
module.exports = { forbidden: [{ name: 'no-web-in-core', severity: 'error', from: { path: '^src/core' }, to: { path: '^src/web' } }, { name: 'no-orphans', severity: 'warn', from: { orphan: true }, to: {} }] }
E
many 20 src/web/error@.js <<'E'
export const failed@ = true
E
put src/core/a.js <<'E'
import { failed3 } from '../web/error3.js'
export default failed3
E
run <<'END'
npx depcruise src
END

new node-test-coverage-after node:test
put package.json <<'E'
{ "name": "ledger", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test --test-reporter=spec --experimental-test-coverage --test-concurrency=2" } }
E
many 55 src/e@.js <<'E'
export const e@ = (n) => { if (n === 3) throw new RangeError('failed @'); return n }
E
many 55 test/e@.test.js <<'E'
import test from 'node:test'; import assert from 'node:assert/strict'; import { e@ } from '../src/e@.js'
test('error @', async (t) => { for (let i = 0; i < 8; i++) await t.test('case ' + i, () => { if (i === 3) assert.throws(() => e@(i)); else assert.equal(e@(i), i) }) })
E
put test/round.test.js <<'E'
import test from 'node:test'; import assert from 'node:assert/strict'
const shares = (total, n) => Array.from({ length: n }, () => Math.round(total / n))
test('shares add up', async (t) => { await t.test('of 100 by 3', () => assert.equal(shares(100, 3).reduce((a, b) => a + b), 100)) })
E
run <<'END'
npm test
END

