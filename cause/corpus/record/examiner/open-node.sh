. "$(dirname "$0")/lib.sh"

new grocery-vitest-dot vitest
pkg '"lint":"eslint src --max-warnings 10","test":"vitest run --reporter=dot"' '"vitest":"^2.1.9","eslint":"^9.17.0","@eslint/js":"^9.17.0"' ',"type":"module"'
put eslint.config.js <<'E'
import js from '@eslint/js';
export default [js.configs.recommended, { languageOptions: { globals: { console: 'readonly' } }, rules: { 'no-unused-vars': 'warn' } }];
E
put src/basket.js <<'E'
const debug = false;
export class Basket {
  lines = [];
  add(sku, qty, cents) {
    if (qty < 1) { console.error(`Error: quantity ${qty} of ${sku} refused`); return; }
    this.lines.push({ sku, qty, cents });
  }
  total() { return this.lines.reduce((sum, l) => sum + l.cents * l.qty, 0); }
  discounted(percent) { return this.total() - Math.floor(this.total() * percent) / 100; }
}
E
put src/basket.test.js <<'E'
import { expect, it, describe } from 'vitest';
import { Basket } from './basket.js';
describe('Basket', () => {
  it('refuses a negative quantity', () => { const b = new Basket(); b.add('milk', -1, 99); expect(b.lines).toHaveLength(0); });
  it('sums its lines', () => { const b = new Basket(); b.add('milk', 2, 99); b.add('bread', 1, 249); expect(b.total()).toBe(447); });
  it('rounds a discount in favour of the customer', () => { const b = new Basket(); b.add('tea', 3, 333); expect(b.discounted(15)).toBe(849); });
});
E
many 6 src/aisle@.test.js <<'E'
import { expect, it } from 'vitest';
it('aisle @ has a number', () => expect(@).toBeGreaterThan(0));
it('aisle @ logs', () => { console.error('aisle @: ERROR sensor offline (simulated)'); });
E
run <<'E'
npm install
npm run lint
npm test
E

new newsletter-jest-quiet jest
pkg '"test":"jest --ci --silent --reporters=default --json --outputFile=build/jest.json --coverage --coverageReporters=json-summary"' '"jest":"^29.7.0"'
put src/template.js <<'E'
const { formatDate } = require('./utils/dates');
exports.subject = (issue) => `Issue ${issue.number}, ${formatDate(issue.date)}`;
E
put src/util/dates.js <<'E'
exports.formatDate = (d) => new Date(d).toISOString().slice(0, 10);
E
put src/queue.js <<'E'
exports.Queue = class { constructor() { this.items = []; } push(x) { this.items.push(x); console.error('queue error ignored'); } get size() { return this.items.length; } };
E
put test/template.test.js <<'E'
const { subject } = require('../src/template');
test('subject', () => expect(subject({ number: 4, date: 0 })).toBe('Issue 4, 1970-01-01'));
E
put test/queue.test.js <<'E'
const { Queue } = require('../src/queue');
test('counts', () => { const q = new Queue(); q.push(1); expect(q.size).toBe(1); });
test('is empty at first', () => expect(new Queue().size).toBe(0));
E
run <<'E'
node --version
npm ci --no-audit
npm test
E

new parking-mocha-nyc mocha
pkg '"test":"nyc --reporter=text-summary mocha --reporter dot --recursive"' '"mocha":"^10.8.2","nyc":"^17.1.0"'
put lib/tariff.js <<'E'
'use strict';
const zones = { A: { perHour: 320, free: ['sun'] }, B: { perHour: 180, free: [] } };
exports.price = (zone, hours, day) => {
  const z = zones[zone];
  if (z.free.includes(day)) return 0;
  return z.perHour * Math.ceil(hours);
};
exports.receipt = (ticket) => ({ ...ticket, cents: exports.price(ticket.zone, ticket.hours, ticket.day) });
E
put test/tariff.js <<'E'
const assert = require('assert');
const { price, receipt } = require('../lib/tariff');
describe('tariff', () => {
  for (const h of [0.5, 1, 1.5, 2, 7]) it(`charges ${h} hours in zone B`, () => assert.strictEqual(price('B', h, 'mon'), 180 * Math.ceil(h)));
  it('is free on Sundays in zone A', () => assert.strictEqual(price('A', 3, 'sun'), 0));
  it('writes a receipt for residents', () => assert.strictEqual(receipt({ zone: 'R', hours: 2, day: 'mon' }).cents, 0));
});
E
run <<'E'
npm ci
npm test
E

new ferry-node-dot node:test
put package.json <<'E'
{"name":"ferry","version":"0.3.0","type":"module","scripts":{"test":"node --test --test-reporter=dot"}}
E
put schedule.js <<'E'
export function next(departures, now) { return departures.find((d) => d >= now) ?? null; }
export async function load(name) { const { default: data } = await import(`./data/${name}.json`, { with: { type: 'json' } }); return data.departures; }
E
put data/north.json <<'E'
{"departures":["06:10","09:40","13:05"]}
E
put schedule.test.js <<'E'
import test from 'node:test'; import assert from 'node:assert/strict';
import { next, load } from './schedule.js';
test('the first departure', () => assert.equal(next(['06:10', '09:40'], '05:00'), '06:10'));
test('none after the last', () => assert.equal(next(['06:10'], '23:00'), null));
test('northern line', async () => assert.deepEqual(await load('north'), ['06:10', '09:40', '13:05', '17:30']));
E
many 12 stop@.test.js <<'E'
import test from 'node:test';
for (let i = 0; i < 5; i++) test(`stop @ no ${i}`, () => {});
E
run <<'E'
npm test
E

new atlas-check-chain tsc
pkg '"lint":"eslint .","types":"tsc --noEmit","unit":"vitest run","check":"npm run lint && npm run types && npm run unit"' '"eslint":"^9.17.0","typescript-eslint":"^8.18.0","typescript":"~5.7.2","vitest":"^2.1.8"' ',"type":"module"'
put eslint.config.js <<'E'
import ts from 'typescript-eslint';
export default ts.config(...ts.configs.recommended, { rules: { '@typescript-eslint/no-explicit-any': 'warn', '@typescript-eslint/no-unused-vars': 'warn' } });
E
put tsconfig.json <<'E'
{"compilerOptions":{"strict":true,"target":"es2022","module":"nodenext","skipLibCheck":true,"noUncheckedIndexedAccess":true},"include":["src"]}
E
put src/tiles.ts <<'E'
export interface Tile { x: number; y: number; z: number; error?: string }
export const parse = (path: string): Tile => {
  const parts = path.split('/').map(Number);
  return { z: parts[0], x: parts[1] ?? 0, y: parts[2] ?? 0 };
};
export function legacy(input: any) { const unused = 1; return input; }
E
put src/tiles.test.ts <<'E'
import { expect, test } from 'vitest';
import { parse } from './tiles.js';
test('parses', () => expect(parse('3/4/5')).toEqual({ z: 3, x: 4, y: 5 }));
E
run <<'E'
npm install
npm run check
E

new museum-vitest-junit vitest
pkg '"test":"vitest run --reporter=junit --outputFile=reports/junit.xml"' '"vitest":"^3.0.0"' ',"type":"module"'
put src/ticket.js <<'E'
export const ticket = (age) => (age < 18 ? 0 : age > 65 ? 700 : 1200);
E
put src/ticket.test.js <<'E'
import { describe, expect, it } from 'vitest';
import { ticket } from './ticket.js';
describe('ticket', () => {
  it('is free for children', () => expect(ticket(12)).toBe(0));
  it('has a regular price', () => expect(ticket(40)).toBe(1200));
  it('is reduced from the 65th birthday on', () => expect(ticket(65)).toBe(700));
  it('is reduced at 90', () => expect(ticket(90)).toBe(700));
});
E
run <<'E'
npm install
npm test || { cat reports/junit.xml; exit 1; }
E

new fleet-pnpm-recursive pnpm
put package.json <<'E'
{"name":"fleet","private":true,"packageManager":"pnpm@9.15.0","scripts":{"build":"pnpm -r --workspace-concurrency=1 run build","test":"pnpm -r --workspace-concurrency=1 run test"}}
E
put pnpm-workspace.yaml <<'E'
packages:
  - packages/*
E
put packages/geo/package.json <<'E'
{"name":"@fleet/geo","version":"1.0.0","main":"index.js","scripts":{"build":"node -e \"console.log('geo: 3 modules, 0 errors')\"","test":"node --test --test-reporter=spec"}}
E
put packages/geo/index.js <<'E'
exports.km = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) * 111;
E
put packages/geo/geo.test.js <<'E'
const test = require('node:test'); const assert = require('node:assert');
test('distance', () => assert.equal(require('.').km([0, 0], [0, 1]), 111));
E
put packages/routes/package.json <<'E'
{"name":"@fleet/routes","version":"1.0.0","main":"index.js","dependencies":{"@fleet/geo":"workspace:*"},"devDependencies":{"tape":"5.9.0"},"scripts":{"build":"node -e \"console.log('routes: built')\"","test":"tape test.js"}}
E
put packages/routes/index.js <<'E'
const { km } = require('@fleet/geo');
exports.length = (points) => points.slice(1).reduce((sum, p, i) => sum + km(points[i], p), 0);
exports.cost = (points, rate) => exports.length(points) * rate.perKm;
E
put packages/routes/test.js <<'E'
const test = require('tape'); const { length, cost } = require('.');
test('length', (t) => { t.equal(length([[0, 0], [0, 1]]), 111); t.end(); });
test('cost', (t) => { t.equal(cost([[0, 0], [0, 2]], { perKilometre: 2 }), 444, 'two degrees at two euros'); t.end(); });
E
put packages/web/package.json <<'E'
{"name":"@fleet/web","version":"1.0.0","dependencies":{"@fleet/routes":"workspace:*"},"scripts":{"build":"node -e \"console.log('web: built')\"","test":"node -e 0"}}
E
PRE='npx -y pnpm@9.15.0 install --lockfile-only'
run <<'E'
npm install -g pnpm@9.15.0 --silent
pnpm install --frozen-lockfile
pnpm build
pnpm test
E
PRE=

new podcast-bundle-size esbuild
pkg '"build":"esbuild src/main.js --bundle --minify --outfile=dist/main.js --metafile=dist/meta.json","size":"node scripts/size.mjs"' '"esbuild":"0.24.2","lodash":"4.17.21","preact":"10.25.4"'
put src/main.js <<'E'
import { h, render } from 'preact';
import _ from 'lodash';
render(h('ul', null, _.range(10).map((n) => h('li', { key: n }, n))), document.body);
E
put scripts/size.mjs <<'E'
import { readFileSync, statSync } from 'node:fs';
const limits = JSON.parse(readFileSync('size-limits.json', 'utf8'));
let over = 0;
for (const [file, limit] of Object.entries(limits)) {
  const kib = statSync(file).size / 1024;
  const state = kib <= limit ? 'ok  ' : 'OVER';
  if (kib > limit) over++;
  console.log(`${state} ${file} ${kib.toFixed(1)} KiB of ${limit} KiB`);
}
console.log(over ? `size check: ${over} of ${Object.keys(limits).length} budgets exceeded` : 'size check: all within budget');
process.exit(over ? 1 : 0);
E
put size-limits.json <<'E'
{"dist/meta.json":20,"dist/main.js":48,"src/main.js":2}
E
run <<'E'
npm ci
npm run build
npm run size
E

new clinic-env-health node
put package.json <<'E'
{"name":"clinic-api","version":"5.1.0","scripts":{"start":"node server.js"}}
E
put server.js <<'E'
const http = require('http');
const config = require('./config');
http.createServer((q, s) => s.end('ok')).listen(config.port, '127.0.0.1', () => console.log(`listening on ${config.port}`));
E
put config.js <<'E'
const need = (name) => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`missing environment variable ${name}`);
  return value;
};
module.exports = { port: Number(process.env.PORT || 4107), database: need('CLINIC_DATABASE_URL'), cookieSecret: need('COOKIE_SECRET') };
E
run <<'E'
export PORT=4107 NODE_ENV=test CLINIC_DATABASE_URL=postgres://clinic@127.0.0.1/clinic
<<<
npm start > server.log 2>&1 &
for i in 1 2 3 4 5; do
  curl -fsS http://127.0.0.1:$PORT/healthz && break
  echo "waiting for clinic-api ($i/5)"; sleep 1
done
curl -fsS http://127.0.0.1:$PORT/healthz || { echo '--- server.log'; cat server.log; exit 1; }
>>>
npm run e2e
E

new auction-jest-port jest
pkg '"test":"jest --runInBand --verbose"' '"jest":"^29.7.0","supertest":"^7.0.0","express":"^4.21.2"'
put src/app.js <<'E'
const express = require('express');
const app = express();
app.get('/lots/:id', (q, s) => (q.params.id === '7' ? s.json({ id: 7, bid: 120 }) : s.status(404).json({ error: 'lot not found' })));
module.exports = app;
E
put test/lots.test.js <<'E'
const request = require('supertest'); const app = require('../src/app');
describe('GET /lots/:id', () => {
  it('gives a lot', () => request(app).get('/lots/7').expect(200, { id: 7, bid: 120 }));
  it('says 404 for an unknown lot', () => request(app).get('/lots/8').expect(404));
  it('says 400 for no number', () => request(app).get('/lots/abc').expect(400));
});
E
put test/live.test.js <<'E'
const app = require('../src/app');
let server;
beforeAll((done) => { server = app.listen(43117, '127.0.0.1', done); });
afterAll(() => server.close());
it('answers on its port', async () => { const r = await fetch('http://127.0.0.1:43117/lots/7'); expect(await r.json()).toMatchObject({ bid: 120 }); });
E
run <<'E'
npm ci
npm test -- --testPathPattern live
npm test
E

new radio-playwright-api playwright
pkg '"e2e":"playwright test"' '"@playwright/test":"1.49.1"'
put playwright.config.ts <<'E'
import { defineConfig } from '@playwright/test';
export default defineConfig({ testDir: 'e2e', retries: 1, workers: 1, reporter: [['list'], ['json', { outputFile: 'out/report.json' }]],
  use: { baseURL: 'http://127.0.0.1:43221' }, webServer: { command: 'node server.js', url: 'http://127.0.0.1:43221/health', stdout: 'pipe' } });
E
put server.js <<'E'
const http = require('http');
let hits = 0;
http.createServer((q, s) => {
  if (q.url === '/health') return s.end('up');
  if (q.url === '/stations') { s.setHeader('content-type', 'application/json'); return s.end(JSON.stringify([{ name: 'Eins', kbit: 128 }, { name: 'Zwei', kbit: 96 }])); }
  if (q.url === '/flaky') { s.statusCode = hits++ ? 200 : 503; return s.end('{}'); }
  console.error('ERROR no route for ' + q.url); s.statusCode = 404; s.end();
}).listen(43221, '127.0.0.1', () => console.log('radio listens'));
E
put e2e/stations.spec.ts <<'E'
import { test, expect } from '@playwright/test';
test.describe('stations', () => {
  test('are listed', async ({ request }) => { expect(await (await request.get('/stations')).json()).toHaveLength(2); });
  test('recover from a cold cache', async ({ request }) => { expect((await request.get('/flaky')).status()).toBe(200); });
  test('stream at 128 kbit', async ({ request }) => {
    const list = await (await request.get('/stations')).json();
    for (const s of list) expect(s, `${s.name} streams`).toMatchObject({ kbit: 128 });
  });
  test('show a logo', async ({ request }) => { expect((await request.get('/logo.png')).ok()).toBeTruthy(); });
});
E
run <<'E'
npm ci
npm run e2e
E

new wallet-license-check license-checker
pkg '"licenses":"license-checker --production --summary && license-checker --production --onlyAllow \\"MIT;ISC;Apache-2.0\\""' '"license-checker":"25.0.1"' ',"dependencies":{"chalk":"4.1.2","xmlhttprequest-ssl":"2.1.2","pako":"2.1.0"}'
run <<'E'
npm ci
npm run licenses
E

new menu-codegen-diff git
put package.json <<'E'
{"name":"menu","version":"1.0.0","scripts":{"generate":"node scripts/generate.js"}}
E
put scripts/generate.js <<'E'
const fs = require('fs');
const schema = JSON.parse(fs.readFileSync('schema.json', 'utf8'));
const lines = ['// Generated by scripts/generate.js, do not edit.'];
for (const [name, fields] of Object.entries(schema)) lines.push(`export interface ${name} {`, ...Object.entries(fields).map(([f, t]) => `  ${f}: ${t};`), '}');
fs.writeFileSync('src/types.ts', lines.join('\n') + '\n');
console.log(`generated ${Object.keys(schema).length} types, 0 errors`);
E
put schema.json <<'E'
{"Dish":{"name":"string","cents":"number"},"Course":{"title":"string","dishes":"Dish[]"}}
E
[ -n "$SKIP" ] || { mkdir src; node scripts/generate.js > /dev/null; }; commit
put schema.json <<'E'
{"Dish":{"name":"string","cents":"number","allergens":"string[]"},"Course":{"title":"string","dishes":"Dish[]"}}
E
commit 'Add allergens'
run <<'E'
git log --oneline -1
npm run generate
git diff --exit-code -- src
E

new booking-pg-refused tsx
pkg '"migrate":"tsx scripts/migrate.ts"' '"tsx":"4.19.2","pg":"8.13.1","typescript":"5.7.2"' ',"type":"module"'
put scripts/migrate.ts <<'E'
import pg from 'pg';
const url = process.env.DATABASE_URL ?? 'postgres://booking:booking@127.0.0.1:54991/booking_test';
console.log('connecting to', new URL(url).host);
const client = new pg.Client(url);
await client.connect();
await client.query('create table if not exists stays (id serial primary key, guest text not null)');
console.log('migrated');
await client.end();
E
run <<'E'
npm ci
npm run migrate
E

new quilt-eslint-import eslint
pkg '"lint":"eslint --ext .js src"' '"eslint":"8.57.1","eslint-plugin-import":"2.31.0"'
put .eslintrc.json <<'E'
{"root":true,"env":{"node":true,"es2022":true},"parserOptions":{"sourceType":"module","ecmaVersion":2022},"plugins":["import"],"extends":["eslint:recommended"],"rules":{"import/no-unresolved":"error","import/order":"warn","no-console":"warn"}}
E
put src/index.js <<'E'
import { patch } from './patch.js';
import fs from 'fs';
import { colours } from './palette';
console.log(patch(colours, fs.readdirSync('.')));
E
put src/patch.js <<'E'
export const patch = (a, b) => { console.log('patching'); return [...a, ...b]; };
E
put src/palete.js <<'E'
export const colours = ['red'];
E
run <<'E'
npm ci
npm run lint
E
