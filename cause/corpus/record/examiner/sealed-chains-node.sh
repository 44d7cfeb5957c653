PART=sealed; . "$(dirname "$0")/lib.sh"

new velvet-monorepo-check vitest
put package.json <<'E'
{"name":"velvet","private":true,"workspaces":["packages/*"],"scripts":{"lint":"eslint packages --ext .ts","types":"npm run types -ws","test":"npm test -ws"},"devDependencies":{"typescript":"5.6.3","vitest":"2.1.8","eslint":"8.57.1","@typescript-eslint/parser":"8.18.2","@typescript-eslint/eslint-plugin":"8.18.2"}}
E
put .eslintrc.json <<'E'
{"root":true,"parser":"@typescript-eslint/parser","plugins":["@typescript-eslint"],"rules":{"@typescript-eslint/no-explicit-any":"warn","no-console":"warn"}}
E
put tsconfig.base.json <<'E'
{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","target":"es2022","noEmit":true,"skipLibCheck":true}}
E
for p in money cart checkout mails; do
put packages/$p/package.json <<E
{"name":"@velvet/$p","version":"1.0.0","type":"module","main":"src/index.ts","scripts":{"types":"tsc -p .","test":"vitest run"}}
E
put packages/$p/tsconfig.json <<'E'
{"extends":"../../tsconfig.base.json","include":["src"]}
E
done
put packages/money/src/index.ts <<'E'
export const format = (cents: number, currency: any = 'EUR') => `${(cents / 100).toFixed(2)} ${currency}`;
E
put packages/money/src/index.test.ts <<'E'
import { expect, it } from 'vitest'; import { format } from './index';
it('formats', () => expect(format(1250)).toBe('12.50 EUR'));
it('warns of errors', () => { console.error('Error: rate table is 3 days old'); });
E
put packages/cart/src/index.ts <<'E'
export interface Line { sku: string; qty: number; cents: number }
export const total = (lines: Line[]) => lines.reduce((s, l) => s + l.qty * l.cents, 0);
E
put packages/cart/src/index.test.ts <<'E'
import { expect, it } from 'vitest'; import { total } from './index';
it('sums', () => expect(total([{ sku: 'a', qty: 2, cents: 5 }])).toBe(10));
E
put packages/checkout/src/index.ts <<'E'
import { total, type Line } from '@velvet/cart';
import { format } from '@velvet/money';
export function summary(lines: Line[], coupon?: { percent: number }) {
  console.log('checkout of', lines.length);
  const sum = total(lines);
  return format(coupon ? sum - sum * coupon.percent : sum);
}
E
put packages/checkout/src/index.test.ts <<'E'
import { describe, expect, it } from 'vitest'; import { summary } from './index';
const lines = [{ sku: 'a', qty: 1, cents: 2000 }];
describe('summary', () => {
  it('without coupon', () => expect(summary(lines)).toBe('20.00 EUR'));
  it('takes 15 % off', () => expect(summary(lines, { percent: 15 })).toBe('17.00 EUR'));
});
E
put packages/mails/src/index.ts <<'E'
export const subject = (n: number) => `Order ${n}`;
E
put packages/mails/src/index.test.ts <<'E'
import { expect, it } from 'vitest'; import { subject } from './index';
it('has a subject', () => expect(subject(3)).toBe('Order 3'));
E
run <<'E'
npm install
npm run lint
npm run types
npm test
E

new willow-workspaces-build tsc
put package.json <<'E'
{"name":"willow","private":true,"workspaces":["libs/*","apps/*"],"scripts":{"build":"npm run build --workspaces --if-present"},"devDependencies":{"typescript":"5.4.5"}}
E
for p in libs/log libs/http apps/api; do
put $p/package.json <<E
{"name":"@willow/${p#*/}","version":"0.1.0","types":"dist/index.d.ts","main":"dist/index.js","scripts":{"prebuild":"rm -rf dist","build":"tsc -p tsconfig.json"}}
E
put $p/tsconfig.json <<'E'
{"compilerOptions":{"strict":true,"declaration":true,"outDir":"dist","rootDir":"src","module":"commonjs","target":"es2021"},"include":["src"]}
E
done
put libs/log/src/index.ts <<'E'
export type Level = 'info' | 'error';
export const log = (level: Level, text: string): void => console.log(level, text);
E
put libs/http/src/index.ts <<'E'
import { log } from '@willow/log';
export async function get(url: string): Promise<string> { log('info', url); return 'ok'; }
E
put apps/api/src/index.ts <<'E'
import { get } from '@willow/http';
import { log, LogLevel } from '@willow/log';
import { retry } from '@willow/retry';
export const main = async () => { const level: LogLevel = 'error'; log(level, await retry(() => get('/'))); };
E
run <<'E'
npm install
npm run build
npm test
E

new xenia-playwright-strict playwright
mods pw1491 @playwright/test@1.49.1
put package.json <<'E'
{"name":"xenia","scripts":{"e2e":"playwright test"}}
E
put playwright.config.js <<'E'
module.exports = { testDir: './e2e', workers: 1, retries: 0, timeout: 8000, reporter: 'line', expect: { timeout: 1500 },
  use: { baseURL: 'http://127.0.0.1:43231', launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] } },
  webServer: { command: 'node server.js', port: 43231 } };
E
put server.js <<'E'
require('http').createServer((q, s) => { s.setHeader('content-type', 'text/html'); s.end('<h1>Rooms</h1><p role=status>0 errors</p><button>Book</button><button>Book later</button><ul><li>Blue</li></ul>'); }).listen(43231, '127.0.0.1');
E
put e2e/rooms.spec.js <<'E'
const { test, expect } = require('@playwright/test');
test.beforeEach(async ({ page }) => { await page.goto('/'); });
test('shows a heading', async ({ page }) => { await expect(page.getByRole('heading')).toHaveText('Rooms'); });
test('says there are no errors', async ({ page }) => { await expect(page.getByRole('status')).toContainText('0 errors'); });
test('books a room', async ({ page }) => {
  await page.getByRole('button', { name: 'Book' }).click();
  await expect(page.getByText('Booked')).toBeVisible();
});
E
run <<'E'
npx playwright --version
npm run e2e
E

new yodel-playwright-tohavetext playwright
mods pw1491
put package.json <<'E'
{"name":"yodel","scripts":{"e2e":"playwright test --reporter=dot"}}
E
put playwright.config.js <<'E'
module.exports = { testDir: '.', workers: 1, retries: 2, timeout: 8000, expect: { timeout: 800 }, use: { launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] } } };
E
put cart.spec.js <<'E'
const { test, expect } = require('@playwright/test');
test('counts items', async ({ page }) => {
  page.on('console', (m) => console.log('browser:', m.text()));
  await page.setContent('<p id=n>0 items</p><button onclick="console.error(\'Failed to load resource: favicon\'); document.querySelector(\'#n\').textContent = \'1 item\'">Add</button>');
  await page.click('button'); await page.click('button');
  await expect(page.locator('#n')).toHaveText('2 items');
});
test('is empty', async ({ page }) => { await page.setContent('<p>0 items</p>'); await expect(page.locator('p')).toHaveText('0 items'); });
E
run <<'E'
npm run e2e
E

new zinnia-sass-variable sass
mods sass sass@1.83.0
put package.json <<'E'
{"name":"zinnia","scripts":{"css":"sass --no-source-map --style=compressed src:dist"}}
E
put src/_tokens.scss <<'E'
$error: #c00;
$space: 8px;
E
put src/base.scss <<'E'
@import 'tokens';
.error { color: $error; padding: $space / 2; }
E
put src/page.scss <<'E'
@use 'tokens';
.page { margin: tokens.$space; .error-list { gap: tokens.$gap; } }
E
run <<'E'
npm run css
ls dist
E

new aster-ioredis-retries node
mods ioredis ioredis@5.4.2
put package.json <<'E'
{"name":"aster","scripts":{"warm":"node warm-cache.js"}}
E
put warm-cache.js <<'E'
const Redis = require('ioredis');
const redis = new Redis({ host: '127.0.0.1', port: 46379, maxRetriesPerRequest: 3, retryStrategy: (n) => 50 * n });
redis.on('reconnecting', () => console.log('redis: reconnecting'));
redis.on('error', (e) => console.error('redis:', e.code));
(async () => { console.log('warming 12 pages'); await redis.set('page:1', 'x'); console.log('done'); await redis.quit(); })().catch((e) => { console.error(e); process.exit(1); });
E
run <<'E'
npm run warm
E

new begonia-emfile node
put index-files.js <<'E'
const fs = require('fs/promises');
const files = Array.from({ length: 400 }, (_, i) => `data/${i}.txt`);
(async () => {
  await fs.mkdir('data', { recursive: true });
  for (const f of files) await fs.writeFile(f, 'error-free');
  console.log(`indexing ${files.length} files`);
  const handles = await Promise.all(files.map((f) => fs.open(f)));
  console.log('open:', handles.length);
})();
E
run <<'E'
bash -c 'ulimit -n 128; exec node index-files.js'
E

new clover-worker-memory node
put package.json <<'E'
{"name":"clover","scripts":{"prerender":"node prerender.js"}}
E
put prerender.js <<'E'
const { Worker, isMainThread } = require('worker_threads');
if (isMainThread) {
  for (let i = 1; i <= 20; i++) console.log(`rendered /page/${i} (${i * 3} ms)`);
  const w = new Worker(__filename, { resourceLimits: { maxOldGenerationSizeMb: 16 } });
  w.on('error', (e) => { console.error('prerender failed in worker 1'); throw e; });
} else { const keep = []; for (;;) keep.push(new Array(1000).fill('error page')); }
E
run <<'E'
npm run prerender
E

new dahlia-vitest-typecheck vitest
mods vitest_ts vitest@3.0.5 typescript@5.7.3
put package.json <<'E'
{"name":"dahlia","type":"module","scripts":{"test":"vitest run --typecheck"}}
E
put tsconfig.json <<'E'
{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","target":"es2022","skipLibCheck":true},"include":["src"]}
E
put src/parse.ts <<'E'
export function parse(s: string): number | undefined { const n = Number(s); return Number.isNaN(n) ? undefined : n; }
E
put src/parse.test.ts <<'E'
import { expect, test } from 'vitest'; import { parse } from './parse';
test('parses', () => expect(parse('3')).toBe(3));
test('error gives undefined', () => expect(parse('error')).toBeUndefined());
E
put src/parse.test-d.ts <<'E'
import { expectTypeOf, test } from 'vitest'; import { parse } from './parse';
test('takes a string', () => { expectTypeOf(parse).parameter(0).toBeString(); });
test('gives a number', () => { expectTypeOf(parse('1')).toBeNumber(); });
E
run <<'E'
npm test
E

new erica-mocha-retries mocha
mods mocha
put package.json <<'E'
{"name":"erica","scripts":{"integration":"mocha --retries 2 --timeout 400 --exit integration/*.js"}}
E
put integration/orders.js <<'E'
const http = require('http'); const { expect } = require('chai');
let server, calls = 0;
const get = (p) => new Promise((ok, no) => http.get({ port: 43241, host: '127.0.0.1', path: p }, (r) => { let b = ''; r.on('data', (d) => (b += d)).on('end', () => ok({ status: r.statusCode, body: b })); }).on('error', no));
before((done) => { server = http.createServer((q, s) => { calls++; if (q.url === '/flaky' && calls < 3) { console.error('ERROR upstream closed'); return q.socket.destroy(); } if (q.url === '/slow') return; s.end('{"state":"open"}'); }).listen(43241, '127.0.0.1', done); });
after(() => server.close());
describe('orders', () => {
  it('are open at first', async () => expect((await get('/orders/1')).body).to.contain('open'));
  it('survive a lost connection', async () => expect((await get('/flaky')).status).to.equal(200));
  it('are exported', async () => expect((await get('/slow')).status).to.equal(200));
});
E
run <<'E'
npm run integration
E

new freesia-jest-many-noise jest
mods jest29
put package.json <<'E'
{"name":"freesia","scripts":{"test":"jest --maxWorkers=1 --color"}}
E
many 14 src/feature@.test.js <<'E'
const log = (m) => console.log(m);
describe('feature @', () => {
  test('logs what it does', () => { log('feature @: starting'); console.error('feature @: Error: optional peer missing'); });
  test('adds', () => expect(@ + 1).toBeGreaterThan(@));
});
E
put src/feature9.test.js <<'E'
const parse = (s) => { const [h, m] = s.split(':').map(Number); return { h, m, total: h * 60 + m }; };
describe('feature 9', () => {
  test('parses a time', () => expect(parse('01:30')).toMatchObject({ h: 1, m: 30 }));
  test('parses a duration without hours', () => expect(parse('45')).toMatchObject({ h: 0, m: 45, total: 45 }));
});
E
run <<'E'
npm test
E

new gentian-npm-audit npm
put package.json <<'E'
{"name":"gentian","version":"1.0.0","dependencies":{"minimist":"1.2.0"}}
E
[ -n "$SKIP" ] || npm install --silent >/dev/null 2>&1
run <<'E'
npm ls
npm audit --omit=dev --audit-level=critical
E

new heather-eslint-flood eslint
mods eslint9
put package.json <<'E'
{"name":"heather","type":"module","scripts":{"lint":"eslint src"}}
E
put eslint.config.js <<'E'
import js from '@eslint/js';
export default [{ ...js.configs.recommended, languageOptions: { globals: { console: 'readonly' } }, rules: { ...js.configs.recommended.rules, 'no-unused-vars': 'warn', 'no-console': 'warn', eqeqeq: 'warn' } }];
E
many 40 src/view@.js <<'E'
export function view@(model, error) {
  console.log('view @', model);
  return model == null ? '' : `<p>${model.name}</p>`;
}
E
put src/view23.js <<'E'
export function view23(model, errors) {
  console.log('view 23');
  if (errors.length = 0) return '';
  return errors.map((e) => `<li>${e}</li>`).join('');
}
E
run <<'E'
npm run lint
E

new ixia-migrate-order node-pg-migrate
mods pgm node-pg-migrate@7.9.0 pg@8.13.1
put package.json <<'E'
{"name":"ixia","scripts":{"migrate":"node-pg-migrate up -m migrations"}}
E
put migrations/1700000000001_rooms.sql <<'E'
-- Up Migration
create table rooms (id serial primary key, name text);
E
put migrations/1700000000003_beds.sql <<'E'
-- Up Migration
create table beds (id serial primary key);
E
[ -n "$SKIP" ] || { psql -h 127.0.0.1 -p 54329 -U postgres -qc 'drop database if exists ixia' -c 'create database ixia'; }
run <<'E'
export DATABASE_URL=postgres://postgres@127.0.0.1:54329/ixia
npm run migrate
printf -- '-- Up Migration\nalter table rooms add error text;\n' > migrations/1700000000002_error.sql
npm run migrate
E

new jasmine-lfs-missing git
put .gitattributes <<'E'
*.bin filter=lfs diff=lfs merge=lfs -text
E
put README.md <<'E'
# Errors
E
commit
[ -n "$SKIP" ] || { printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n' > model.bin; git add -A; git commit -qm 'Add model'; rm model.bin; git config filter.lfs.process 'git-lfs filter-process'; git config filter.lfs.required true; git config filter.lfs.smudge 'git-lfs smudge -- %f'; }
run <<'E'
git status --short
git checkout -f HEAD -- .
ls -l model.bin
E

new knautia-submodule-ref git
[ -n "$SKIP" ] || { git init -q lib; (cd lib; echo 1 > a; git add .; git commit -qm one); git init -q app; (cd app; git -c protocol.file.allow=always submodule --quiet add ../lib lib; cd lib; echo 2 > b; git add .; git commit -qm 'unpushed fix for error 5'; cd ..; git add -A; git commit -qm 'Use lib'); }
run <<'E'
git --version
git clone -q app checkout
cd checkout && git -c protocol.file.allow=always submodule update --init --depth 1
E
