#!/usr/bin/env bash
# CACHE holds folders with node_modules of the tools' versions named in README.md
. "$(dirname "$0")/lib.sh"
: "${CACHE:=/tmp/c/cache}"
mods() { [ -n "$SKIP" ] || cp -al "$CACHE/$1/node_modules" node_modules; }
pkg() { printf '{\n  "name": "shop",\n  "version": "1.4.0",\n  "private": true,\n  "scripts": {\n%b\n  }%b\n}\n' "$1" "${2:-}" > package.json; }

new npm-ci-no-lock npm
pkg '    "test": "node --test"' ', "dependencies": {"is-number": "^7.0.0"}'
run <<'END'
node --version
npm ci
npm test
END

new npm-ci-out-of-sync npm
pkg '    "test": "node --test"' ', "dependencies": {"is-number": "^7.0.0", "ms": "^2.1.0"}'
echo '{"name":"shop","version":"1.4.0","lockfileVersion":3,"requires":true,"packages":{"":{"name":"shop","version":"1.4.0","dependencies":{"is-number":"^6.0.0"}},"node_modules/is-number":{"version":"6.0.0"}}}' > package-lock.json
run <<'END'
npm ci
npm test
END

new npm-eresolve npm
pkg '    "test": "node --test"' ', "dependencies": {"react": "17.0.2", "@testing-library/react": "14.0.0"}'
run <<'END'
npm install
npm test
END

new npm-404 npm
pkg '    "test": "node --test"' ', "dependencies": {"is-number": "^7.0.0", "@acme-flightdeck-shop/internal-ui-kit": "^3.1.0"}'
run <<'END'
npm install
END

new npm-etarget npm
pkg '    "test": "node --test"' ', "dependencies": {"is-number": "^97.0.0"}'
run <<'END'
npm install --loglevel verbose
END

new npm-missing-script npm
pkg '    "test": "node --test",\n    "build": "true"'
run <<'END'
npm run build
npm run test:unit
END

new npm-lifecycle npm
pkg '    "postinstall": "node scripts/patch.js",\n    "test": "node --test"' ', "dependencies": {"is-number": "^7.0.0"}'
mkdir scripts; cat > scripts/patch.js <<'E'
const fs = require('fs')
console.log('patching native module')
const meta = JSON.parse(fs.readFileSync('vendor/native/meta.json', 'utf8'))
console.log(meta)
E
run <<'END'
npm install --foreground-scripts
npm test
END

new npm-verbose-tail node:test
pkg '    "test": "node --test"' ', "dependencies": {"lodash": "^4.17.21", "express": "^4.19.0"}'
mkdir test; cat > test/price.test.js <<'E'
const { test } = require('node:test'); const assert = require('node:assert')
for (let i = 0; i < 60; i++) test('rounds case ' + i, () => assert.equal(Math.round(i + 0.4), i))
test('adds tax', () => { assert.strictEqual(Math.round(19.99 * 1.19 * 100) / 100, 23.8) })
for (let i = 0; i < 20; i++) test('formats ' + i, () => assert.ok(String(i)))
E
run <<'END'
npm install --loglevel silly
npm test --loglevel verbose
END

new node-uncaught node
cat > seed.js <<'E'
const users = [{ name: 'a', address: { city: 'x' } }, { name: 'b' }]
function label(u) { return u.name + ' in ' + u.address.city }
for (const u of users) console.log('seeding', label(u))
E
run <<'END'
node --version
node seed.js
END

new node-unhandled node
cat > sync.mjs <<'E'
const wait = (ms) => new Promise((r) => setTimeout(r, ms))
async function page(n) { await wait(2); if (n === 37) throw new Error(`page 37: unexpected status 502`); console.log(`synced page ${n} (0 errors)`) }
for (let i = 1; i < 80; i++) { if (i % 9 == 0) console.error(`warning: page ${i} was slow, retrying`); await page(i) }
E
run <<'END'
node sync.mjs
END

new node-esm-require node
pkg '    "start": "node server.js"' ', "type": "module"'
cat > server.js <<'E'
const http = require('http')
http.createServer().listen(0)
E
run <<'END'
npm start
END

new node-syntax node
cat > config.js <<'E'
module.exports = {
  port: 8080,
  hosts: ['a', 'b'
  debug: false,
}
E
echo "const c = require('./config'); console.log(c)" > index.js
run <<'END'
node -e "console.log('ok')"
node index.js
END

new node-missing-module node
mkdir -p lib; echo "require('./store/pg')" > lib/index.js
echo "console.log('starting'); require('./lib')" > index.js
run <<'END'
node index.js
END

new node-oom node
cat > bundle.js <<'E'
const parts = []
for (let i = 0; ; i++) { parts.push(new Array(100000).fill({ i })); if (i % 20 === 0) console.log('chunk', i) }
E
run <<'END'
node --max-old-space-size=120 bundle.js
END

new node-test-spec node:test
pkg '    "test": "node --test --test-reporter spec"'
mkdir test; cat > test/cart.test.mjs <<'E'
import { test, describe, it } from 'node:test'; import assert from 'node:assert/strict'
describe('cart', () => {
  for (let i = 0; i < 30; i++) it(`handles error code ${400 + i}`, () => { assert.ok(true) })
  it('merges two carts', () => { assert.deepEqual([{ sku: 'a', n: 2 }, { sku: 'b', n: 1 }], [{ sku: 'a', n: 3 }, { sku: 'b', n: 1 }]) })
  it('fails when payment failed', () => { assert.throws(() => { throw new Error('payment failed') }) })
})
E
cat > test/log.test.mjs <<'E'
import { test } from 'node:test'; import assert from 'node:assert/strict'
test('logs errors', () => { console.error('Error: this is expected\n    at fake (x.js:1:1)'); assert.ok(1) })
E
run <<'END'
node --version
npm test
END

new node-test-tap node:test
mkdir test; cat > test/a.test.js <<'E'
const { test } = require('node:test'); const assert = require('node:assert')
for (let i = 0; i < 400; i++) test('parses error line ' + i, () => assert.ok(i >= 0))
test('keeps order', async () => { await null; assert.deepStrictEqual([1, 2, 3].sort((a, b) => b - a), [1, 2, 3]) })
for (let i = 0; i < 300; i++) test('prints warning ' + i, () => assert.ok(i >= 0))
E
run <<'END'
node --test --test-reporter tap
END

new node-test-timeout node:test
mkdir test; cat > test/slow.test.mjs <<'E'
import { test } from 'node:test'
test('connects', async () => {})
test('waits for the queue to drain', { timeout: 300 }, () => new Promise((r) => { setTimeout(r, 60000).unref() ; setInterval(() => {}, 1000)}))
E
run <<'END'
timeout 20 node --test --test-force-exit
END

ts_project() {
  mkdir -p src; cat > tsconfig.json <<'E'
{ "compilerOptions": { "strict": true, "noEmit": true, "target": "es2022", "module": "nodenext", "moduleResolution": "nodenext", "skipLibCheck": true, "types": [] }, "include": ["src"] }
E
  cat > src/model.ts <<'E'
export interface User { id: number; name: string; email?: string }
export const byId = (all: readonly User[], id: number): User | undefined => all.find((u) => u.id === id)
E
  cat > src/report.ts <<'E'
import { byId, type User } from './model.js'
const users: User[] = [{ id: 1, name: 'a' }]
export function mail(id: number): string { return byId(users, id).email }
export const total: number = users.map((u) => u.name).join('')
E
  for i in $(seq 1 12); do echo "export const v$i: string = 'v$i'" > src/f$i.ts; done
}
new tsc-56 tsc
pkg '    "build": "tsc -p ."' ; ts_project; mods typescript_5_6_3
run <<'END'
npx tsc --version
npm run build
END

new tsc-7-pretty tsc
pkg '    "types": "tsc -p . --pretty"' ; ts_project; mods typescript
run <<'END'
npx tsc --version
npm run types
END

new tsc-many tsc
ts_project; mods typescript_5_6_3; for i in $(seq 1 150); do printf "import { User } from './model.js'\nexport const u$i: User = { id: '$i', name: 'x' }\n" > src/g$i.ts; done
run <<'END'
npx tsc -p . --listFiles --extendedDiagnostics
END

vit() { mkdir -p src; cat > src/money.ts <<'E'
export const format = (cents: number): string => (cents / 100).toFixed(2)
export const parse = (s: string): number => { if (!/^\d/.test(s)) throw new Error('not a number: ' + s); return Math.round(Number(s) * 100) }
E
cat > src/money.test.ts <<'E'
import { describe, expect, it } from 'vitest'
import { format, parse } from './money'
describe('money', () => {
  it('formats', () => { expect(format(1999)).toBe('19.99') })
  it('throws an error', () => { console.error('Error: not a number: abc (expected by the test)'); expect(() => parse('abc')).toThrow('not a number') })
  it('keeps thousands apart', () => { expect(format(123456789)).toBe('1,234,567.89') })
})
E
for i in $(seq 1 ${1:-8}); do printf "import { expect, it } from 'vitest'\nfor (let i = 0; i < ${2:-10}; i++) it('error case $i.' + i, () => { console.warn('warning: deprecated option in case ' + i); expect(i).toBe(i) })\n" > src/m$i.test.ts; done; }
new vitest-assert vitest
pkg '    "test": "vitest run"'; vit; mods vitest
run <<'END'
npm test
END

new vitest-verbose-long vitest
pkg '    "test": "vitest run --reporter=verbose"'; vit 40 40; mods vitest
run <<'END'
npm test
END

new vitest1-colour vitest
pkg '    "test": "vitest run"'; vit 3 3; mods vitest_1
cat > src/user.test.ts <<'E'
import { expect, it } from 'vitest'
const load = async (id: number) => { const r = id === 7 ? undefined : { name: 'x' }; return r!.name.toUpperCase() }
it('loads all', async () => { for (let i = 0; i < 10; i++) expect(await load(i)).toBe('X') })
E
rm src/money.test.ts
export FORCE_COLOR=1
run <<'END'
npm test
END
unset FORCE_COLOR

new vitest-import vitest
pkg '    "test": "vitest run"'; vit 2 2; mods vitest
echo "import { x } from './gone'; import { it } from 'vitest'; it('x', () => x())" > src/gone.test.ts; rm src/money.test.ts
run <<'END'
npm test
END

jst() { mkdir -p src; cat > src/queue.js <<'E'
class Queue { constructor() { this.items = [] } push(x) { this.items.unshift(x) } pop() { return this.items.shift() } }
module.exports = { Queue }
E
cat > src/queue.test.js <<'E'
const { Queue } = require('./queue')
describe('Queue', () => {
  test('is empty', () => { expect(new Queue().items).toEqual([]) })
  test('gives back in order', () => { const q = new Queue(); q.push(1); q.push(2); expect(q.pop()).toBe(1) })
})
E
for i in $(seq 1 ${1:-6}); do printf "test('handles failure $i', () => { console.error('Request failed with status code 50$((i%10))'); expect(1).toBe(1) })\n" > src/n$i.test.js; done; }
new jest-assert jest
pkg '    "test": "jest"'; jst; mods jest_29
run <<'END'
npm test -- --ci
END

new jest-many-suites jest
pkg '    "test": "jest --verbose"'; jst 60; mods jest_29
run <<'END'
npm test -- --ci --maxWorkers=2
END

new jest-snapshot jest
pkg '    "test": "jest --colors"'; mkdir -p src/__snapshots__; mods jest_29
echo "test('renders the footer', () => { expect({ text: 'Copyright 2026', links: ['a', 'b', 'c'] }).toMatchSnapshot() })" > src/footer.test.js
cat > src/__snapshots__/footer.test.js.snap <<'E'
// Jest Snapshot v1, https://goo.gl/fbAQLP

exports[`renders the footer 1`] = `
{
  "links": [
    "a",
    "b",
  ],
  "text": "Copyright 2025",
}
`;
E
run <<'END'
npm test -- --ci
END

new jest-coverage-threshold jest
pkg '    "test": "jest --coverage"' ', "jest": {"coverageThreshold": {"global": {"branches": 80, "lines": 90}}}'; jst 3; mods jest_29
rm src/queue.test.js; cat > src/errors.js <<'E'
exports.toError = (e) => { if (e instanceof Error) return e; if (typeof e === 'string') return new Error(e); return new Error('unknown error') }
E
echo "const { toError } = require('./errors'); test('keeps an error', () => { expect(toError(new Error('failed')).message).toBe('failed') })" > src/errors.test.js
run <<'END'
npm test
END

new mocha-assert mocha
pkg '    "test": "mocha"'; mkdir test; mods mocha_chai
cat > test/router.spec.mjs <<'E'
import { expect } from 'chai'
describe('router', () => {
  for (let i = 0; i < 25; i++) it(`answers ${400 + i} for error ${i}`, () => {})
  it('keeps the query', () => { expect(new URL('http://x/a?b=1').pathname).to.equal('/a?b=1') })
  it('fails slowly', async function () { this.timeout(50); await new Promise((r) => setTimeout(r, 500)) })
})
E
run <<'END'
npm test
END

new mocha-hook mocha
pkg '    "test": "mocha --reporter dot"'; mkdir test; mods mocha_chai
cat > test/db.spec.js <<'E'
const net = require('net')
describe('db', () => {
  before('connect', (done) => { net.connect(1, '127.0.0.1').on('error', done).on('connect', () => done()) })
  it('inserts', () => {})
})
describe('other', () => { for (let i = 0; i < 40; i++) it('w' + i, () => {}) })
E
run <<'END'
npm test
END
