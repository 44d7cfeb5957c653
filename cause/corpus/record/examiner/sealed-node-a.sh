PART=sealed; . "$(dirname "$0")/lib.sh"

new avalanche-vitest-inline-snapshot vitest
mods vitest3 vitest@3.0.5 jsdom@25 @testing-library/dom@10
put package.json <<'E'
{"name":"avalanche","version":"2.2.0","type":"module","scripts":{"test":"vitest run --reporter=verbose"}}
E
put src/level.js <<'E'
const names = ['low', 'moderate', 'considerable', 'high', 'very high'];
export const bulletin = (day, levels) => levels.map((n, i) => ({ region: i + 1, day, level: n, name: names[n - 1] }));
export const headline = (levels) => `Danger ${Math.max(...levels)} of 5 (${names[Math.max(...levels) - 1]})`;
E
put src/level.test.js <<'E'
import { describe, expect, it } from 'vitest';
import { bulletin, headline } from './level.js';
describe('bulletin', () => {
  for (let n = 1; n <= 5; n++) it(`names level ${n}`, () => { console.error('error rate', n / 100); expect(bulletin('mon', [n])[0].name).toBeTruthy(); });
  it('lists regions', () => expect(bulletin('tue', [2, 3])).toMatchInlineSnapshot(`
    [
      {
        "day": "tue",
        "level": 2,
        "name": "moderate",
        "region": 1,
      },
      {
        "day": "tue",
        "level": 3,
        "name": "substantial",
        "region": 2,
      },
    ]
  `));
  it('has a headline', () => expect(headline([1, 4])).toBe('Danger 4 of 5 (high)'));
});
E
run <<'E'
node -p process.version
npm test
E

new bonsai-vitest-document vitest
mods vitest3
put package.json <<'E'
{"name":"bonsai","version":"0.9.2","type":"module","scripts":{"test":"vitest run --coverage.enabled=false"}}
E
put src/menu.js <<'E'
export function open(label) { const el = document.createElement('nav'); el.textContent = label; return el; }
E
put src/menu.test.js <<'E'
import { expect, test } from 'vitest';
import { open } from './menu.js';
test('opens with a label', () => expect(open('Trees').textContent).toBe('Trees'));
E
put src/sort.test.js <<'E'
import { expect, test } from 'vitest';
test('sorts', () => expect([3, 1].sort()).toEqual([1, 3]));
test('keeps errors last', () => expect(['b', 'error', 'a'].sort().pop()).toBe('error'));
E
run <<'E'
npm test
npm run build
E

new canal-vitest-beforeall vitest
mods vitest3
put package.json <<'E'
{"name":"canal","type":"module"}
E
put test/setup.js <<'E'
export async function seed() {
  const r = await fetch('http://127.0.0.1:43777/seed', { method: 'POST' });
  if (!r.ok) throw new Error('seeding failed: ' + r.status);
}
E
put test/locks.test.js <<'E'
import { beforeAll, expect, test, describe } from 'vitest';
import { seed } from './setup.js';
describe('locks', () => {
  beforeAll(seed);
  test('first lock', () => expect(1).toBe(1));
  test('second lock', () => expect(2).toBe(2));
});
E
many 4 test/gate@.test.js <<'E'
import { expect, test } from 'vitest';
test('gate @', () => expect(@).toBe(@));
test.todo('gate @ reports errors');
E
run <<'E'
npx vitest run --reporter=default --no-color
E

new dairy-jest-per-file-threshold jest
mods jest29 jest@29.7.0
put package.json <<'E'
{"name":"dairy","scripts":{"test":"jest --coverage"},"jest":{"coverageThreshold":{"./src/yield.js":{"lines":95},"global":{"lines":50}}}}
E
put src/yield.js <<'E'
exports.perCow = (litres, cows) => {
  if (cows === 0) {
    return 0;
  }
  if (litres < 0) {
    throw new Error('negative milk');
  }
  return litres / cows;
};
E
put src/tank.js <<'E'
exports.full = (t) => t.level >= t.size;
E
put src/all.test.js <<'E'
const { perCow } = require('./yield'); const { full } = require('./tank');
it('divides', () => expect(perCow(10, 2)).toBe(5));
it('is full', () => expect(full({ level: 3, size: 3 })).toBe(true));
it('prints an error', () => { console.warn('Error: sensor 3 silent'); });
E
run <<'E'
npm test
E

new easel-jest-mock-diff jest
mods jest29
put package.json <<'E'
{"name":"easel","scripts":{"test":"jest --color --verbose=false"}}
E
put src/notify.js <<'E'
exports.notify = (mailer, user, events) => {
  for (const e of events) if (e.level !== 'debug') mailer.send({ to: user.mail, subject: `[${e.level}] ${e.title}`, retries: 3 });
};
E
put src/notify.test.js <<'E'
const { notify } = require('./notify');
const user = { mail: 'kim@example.com' };
test('skips debug events', () => { const m = { send: jest.fn() }; notify(m, user, [{ level: 'debug', title: 'x' }]); expect(m.send).not.toHaveBeenCalled(); });
test('mails an error once', () => {
  const m = { send: jest.fn() };
  notify(m, user, [{ level: 'error', title: 'Disk full' }, { level: 'info', title: 'Disk ok' }]);
  expect(m.send).toHaveBeenCalledTimes(1);
});
E
run <<'E'
npm test
E

new falcon-jest-environment jest
mods jest29
put package.json <<'E'
{"name":"falcon","scripts":{"pretest":"node -e \"console.log('checking fixtures: 0 errors')\"","test":"jest"},"jest":{"testEnvironment":"jsdom"}}
E
put app.test.js <<'E'
test('title', () => { document.title = 'Falcon'; expect(document.title).toBe('Falcon'); });
E
run <<'E'
npm test
E

new glacier-jest-before-each jest
mods jest29
put package.json <<'E'
{"name":"glacier","scripts":{"test":"jest --ci --bail"}}
E
put src/store.js <<'E'
class Store { constructor(opts) { this.opts = opts; this.rows = []; } insert(r) { this.rows.push(r); return this.rows.length; } }
module.exports = Store;
E
put src/store.test.js <<'E'
const { Store } = require('./store');
let store;
beforeEach(() => { store = new Store({ verbose: false }); });
describe('Store', () => {
  it('inserts', () => expect(store.insert({ id: 1 })).toBe(1));
  it('counts', () => { store.insert({}); expect(store.insert({})).toBe(2); });
});
E
put src/other.test.js <<'E'
it('is unrelated', () => expect(true).toBe(true));
E
run <<'E'
npm test -- src/other.test.js
npm test
E

new haystack-mocha-parallel mocha
mods mocha mocha@11.0.1 chai@4.5.0
put package.json <<'E'
{"name":"haystack","scripts":{"test":"mocha --parallel --jobs 2 --reporter spec test/*.js"}}
E
put lib/rank.js <<'E'
exports.rank = (docs, term) => docs.map((d) => ({ id: d.id, score: d.text.split(term).length - 1 })).filter((d) => d.score).sort((a, b) => b.score - a.score);
E
put test/rank.js <<'E'
const { expect } = require('chai'); const { rank } = require('../lib/rank');
const docs = [{ id: 1, text: 'error error' }, { id: 2, text: 'fine' }, { id: 3, text: 'error' }, { id: 4, text: 'Error' }];
describe('rank', () => {
  it('finds nothing for an unknown term', () => expect(rank(docs, 'zzz')).to.deep.equal([]));
  it('ignores case', () => expect(rank(docs, 'error')).to.deep.equal([{ id: 1, score: 2 }, { id: 3, score: 1 }, { id: 4, score: 1 }]));
});
E
many 3 test/part@.js <<'E'
describe('part @', () => { for (let i = 0; i < 9; i++) it('case ' + i, () => {}); it.skip('slow error case'); });
E
run <<'E'
npm test
E

new iris-mocha-json mocha
mods mocha
put package.json <<'E'
{"name":"iris","scripts":{"test":"mocha --reporter json"}}
E
put test/scan.js <<'E'
const { expect } = require('chai');
const crop = (w, h) => ({ w: Math.floor(w / 2), h: Math.floor(h / 2) });
describe('crop', () => {
  it('halves', () => expect(crop(4, 6)).to.eql({ w: 2, h: 3 }));
  it('rounds up odd sizes', () => expect(crop(5, 6).w).to.equal(3));
});
E
run <<'E'
npm test --silent
E

new jigsaw-mocha-reference mocha
mods mocha
put package.json <<'E'
{"name":"jigsaw","scripts":{"lint":"node --check lib/pieces.js","test":"mocha --reporter min"}}
E
put lib/pieces.js <<'E'
const edges = ['flat', 'knob', 'hole'];
module.exports = { count: (w, h) => w * h, edges, defaults: { size: DEFAULT_SIZE, edge: edges[0] } };
E
put test/pieces.js <<'E'
const { expect } = require('chai'); const pieces = require('../lib/pieces');
it('counts', () => expect(pieces.count(2, 3)).to.equal(6));
E
run <<'E'
npm run lint
npm test
E

new kelp-node-junit node:test
put package.json <<'E'
{"name":"kelp","type":"module","scripts":{"test":"node --test --test-reporter=junit test/"}}
E
put test/growth.test.js <<'E'
import { describe, it } from 'node:test'; import assert from 'node:assert';
const grow = (cm, days) => cm + days * 0.3;
describe('growth', () => {
  it('grows', () => assert.ok(grow(1, 10) > 1));
  it('grows 3 cm in ten days', () => assert.strictEqual(grow(0.1, 1) , 0.4));
  it('is 1.2 after three days', () => assert.strictEqual(grow(0.3, 3), 1.2));
  it('does not shrink', () => assert.throws(() => grow(), /error/));
});
E
put test/colour.test.js <<'E'
import { test } from 'node:test';
test('colour of errors', () => {});
E
run <<'E'
npm test
E

new lagoon-node-tap-hook node:test
put package.json <<'E'
{"name":"lagoon","scripts":{"test":"node --test --test-reporter=tap"}}
E
put lagoon.test.js <<'E'
const { test, describe, it, after } = require('node:test'); const assert = require('node:assert'); const fs = require('node:fs');
test('depth', () => assert.equal(2 * 4, 8));
describe('files', () => {
  after(() => fs.rmSync('./out/report.txt'));
  it('writes a report', () => assert.ok(true));
  it('ignores errors', () => { console.log('# error: none'); });
});
test('tide', () => assert.deepEqual([1, 2], [1, 2]));
E
run <<'E'
npm test
E

new mosaic-assert-script node
put check-tiles.js <<'E'
const assert = require('assert'); const fs = require('fs');
const tiles = JSON.parse(fs.readFileSync('tiles.json', 'utf8'));
console.log(`checking ${tiles.length} tiles`);
for (const t of tiles) {
  console.log(`tile ${t.id}: ${t.colours.join(', ')}`);
  assert(t.colours.length <= 3, `tile ${t.id} uses ${t.colours.length} colours, at most 3 are allowed`);
}
E
put tiles.json <<'E'
[{"id":"t1","colours":["red","error-red"]},{"id":"t2","colours":["blue"]},{"id":"t3","colours":["a","b","c","d"]},{"id":"t4","colours":[]}]
E
run <<'E'
node --version
node check-tiles.js
E

new nectar-tsc-build-third tsc
mods ts57 typescript@5.7.3
put package.json <<'E'
{"name":"nectar","private":true,"workspaces":["packages/*"],"scripts":{"build":"tsc -b packages/app --verbose --pretty"}}
E
for p in core api app; do put packages/$p/package.json <<E
{"name":"@nectar/$p","version":"1.0.0","main":"dist/index.js","types":"dist/index.d.ts"}
E
done
put packages/core/tsconfig.json <<'E'
{"compilerOptions":{"composite":true,"strict":true,"outDir":"dist","rootDir":"src","module":"commonjs","target":"es2022"},"include":["src"]}
E
put packages/core/src/index.ts <<'E'
export type Result<T> = { ok: true; value: T } | { ok: false; error: string };
export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
E
put packages/api/tsconfig.json <<'E'
{"extends":"../core/tsconfig.json","compilerOptions":{"outDir":"dist","rootDir":"src"},"include":["src"],"references":[{"path":"../core"}]}
E
put packages/api/src/index.ts <<'E'
import { ok, Result } from '../../core/dist/index';
export const bees = (): Result<number> => ok(4);
E
put packages/app/tsconfig.json <<'E'
{"extends":"../core/tsconfig.json","compilerOptions":{"outDir":"dist","rootDir":"src"},"include":["src"],"references":[{"path":"../api"}]}
E
put packages/app/src/index.ts <<'E'
import { bees } from '../../api/dist/index';
const r = bees();
export const label: string = r.ok ? `${r.value} bees` : r.error;
export const double = r.value * 2;
E
run <<'E'
npm run build
E

new opal-tsc-config tsc
mods ts57
put tsconfig.json <<'E'
{"compilerOptions":{"strict":true,"moduleResolution":"bundler","module":"commonjs","noEmit":true},"include":["src"]}
E
put src/a.ts <<'E'
export const a = 1;
E
run <<'E'
npx tsc --version
npx tsc -p .
npx tsc -p test
E

new pebble-eslint-compact eslint
mods eslint8 eslint@8.57.1 eslint-plugin-react-hooks@4.6.2
put package.json <<'E'
{"name":"pebble","scripts":{"lint":"eslint --format compact src"}}
E
put .eslintrc.js <<'E'
module.exports = { root: true, parserOptions: { ecmaVersion: 2022, sourceType: 'module' }, plugins: ['react-hooks'], extends: 'eslint:recommended', rules: { 'react-hooks/rules-of-hooks': 'error', 'no-unused-vars': 'warn', 'no-undef': 'off' } };
E
put src/List.js <<'E'
import { useState } from 'react';
const error = 'none';
export function List({ items }) {
  if (items.length === 0) return null;
  const [open, setOpen] = useState(false);
  return items;
}
E
put src/util.js <<'E'
export const noop = (unused) => {};
E
run <<'E'
npm run lint
E

new quarry-eslint-config eslint
mods eslint9 eslint@9.17.0 @eslint/js@9.17.0
put package.json <<'E'
{"name":"quarry","type":"module","scripts":{"lint":"eslint --no-color ."}}
E
put eslint.config.js <<'E'
import js from '@eslint/js';
export default [js.configs.recommended, { extends: ['plugin:import/errors'], rules: { semi: 'error' } }];
E
put a.js <<'E'
export default 1
E
run <<'E'
npm run lint
E

new raven-npm-ls npm
put package.json <<'E'
{"name":"raven","version":"1.0.0","dependencies":{"ms":"^2.1.3","semver":"^7.6.0"}}
E
put node_modules/ms/package.json <<'E'
{"name":"ms","version":"1.0.0"}
E
run <<'E'
npm pkg get name
npm ls --all
node -e "console.log('dependencies are fine')"
E

new saffron-npm-version-dirty npm
put package.json <<'E'
{"name":"saffron","version":"3.0.1","scripts":{"preversion":"node -e \"require('fs').writeFileSync('CHANGES.md', '# errors fixed')\""}}
E
put CHANGES.md <<'E'
# nothing
E
commit
[ -n "$SKIP" ] || echo '# more' >> CHANGES.md
run <<'E'
git log --oneline
npm version patch -m 'Release %s'
git push --follow-tags
E

new thistle-pnpm-workspace-missing pnpm
put package.json <<'E'
{"name":"thistle","private":true}
E
put pnpm-workspace.yaml <<'E'
packages: ['packages/*']
E
put packages/ui/package.json <<'E'
{"name":"@thistle/ui","version":"1.2.0","dependencies":{"@thistle/tokens":"workspace:^2.0.0"}}
E
put packages/tokens/package.json <<'E'
{"name":"@thistle/tokens","version":"1.9.4"}
E
run <<'E'
npx -y pnpm@9.15.0 --version
npx -y pnpm@9.15.0 install --no-frozen-lockfile
npx -y pnpm@9.15.0 -r build
E

new umbra-yarn1-version yarn
put package.json <<'E'
{"name":"umbra","version":"1.0.0","license":"MIT","dependencies":{"ms":"2.1.3","is-odd":"9.0.1"}}
E
run <<'E'
npx -y yarn@1.22.22 --version
npx -y yarn@1.22.22 install --non-interactive
npx -y yarn@1.22.22 build
E

new violet-yarn1-script-tsc yarn
mods ts57
put package.json <<'E'
{"name":"violet","version":"1.0.0","license":"MIT","scripts":{"clean":"rm -rf dist","compile":"tsc --outDir dist --strict --target es2020 src/index.ts","build":"yarn clean && yarn compile"}}
E
put src/index.ts <<'E'
interface Petal { colour: string; width?: number }
const area = (p: Petal) => p.width * p.width;
console.log(area({ color: 'violet', width: 2 }));
E
run <<'E'
npx -y yarn@1.22.22 build
E

new walrus-node-require-esm node
mods esmonly nanoid@5.0.9 p-limit@6.2.0
put server.js <<'E'
const http = require('http');
const { nanoid } = require('nanoid');
console.log('worker', process.pid > 0);
const limit = require('p-limit')(2);
E
put package.json <<'E'
{"name":"walrus","version":"1.0.0","main":"server.js"}
E
run <<'E'
npm ls --depth=0 || true
node server.js
E

new xylem-exports-path node
mods esmonly
put package.json <<'E'
{"name":"xylem","type":"module"}
E
put main.mjs <<'E'
import { customAlphabet } from 'nanoid/alphabet';
console.log(customAlphabet('abc', 4)());
E
run <<'E'
node --check main.mjs
node main.mjs
E

new yarrow-zod-env tsx
mods tsxzod tsx@4.19.2 zod@3.24.1 dotenv@16.4.7
put package.json <<'E'
{"name":"yarrow","type":"module","scripts":{"start":"tsx src/main.ts"}}
E
put .env.ci <<'E'
PORT=eighty
LOG_LEVEL=error
E
put src/main.ts <<'E'
import { config } from 'dotenv';
import { z } from 'zod';
config({ path: '.env.ci' });
const schema = z.object({ PORT: z.coerce.number().int(), LOG_LEVEL: z.enum(['debug', 'info', 'error']), SESSION_KEY: z.string().min(32) });
const env = schema.safeParse(process.env);
if (!env.success) {
  console.error('Invalid environment:');
  for (const i of env.error.issues) console.error(`  ${i.path.join('.')}: ${i.message}`);
  process.exit(78);
}
console.log('listening on', env.data.PORT);
E
run <<'E'
export NODE_ENV=production
npm start
E

new zephyr-i18n-keys node
put package.json <<'E'
{"name":"zephyr","scripts":{"i18n":"node tools/i18n.js locales"}}
E
put tools/i18n.js <<'E'
const fs = require('fs'), path = require('path');
const dir = process.argv[2], all = fs.readdirSync(dir).filter((f) => f.endsWith('.json'));
const read = (f) => JSON.parse(fs.readFileSync(path.join(dir, f), 'utf8'));
const base = Object.keys(read('en.json'));
let bad = 0;
for (const f of all) {
  const own = Object.keys(read(f));
  const missing = base.filter((k) => !own.includes(k)), extra = own.filter((k) => !base.includes(k));
  if (!missing.length && !extra.length) { console.log(`  ${f}: ${own.length} keys, complete`); continue; }
  if (missing.length) { bad++; console.log(`  ${f}: missing ${missing.join(', ')}`); }
  if (extra.length) console.log(`  ${f}: unused ${extra.join(', ')} (ignored)`);
}
console.log(`${all.length} files checked`);
process.exitCode = bad ? 3 : 0;
E
put locales/en.json <<'E'
{"title":"Wind","error.network":"No network","error.login":"Wrong password","gust":"Gust"}
E
put locales/de.json <<'E'
{"title":"Wind","error.network":"Kein Netz","error.login":"Falsches Passwort","gust":"Böe"}
E
put locales/fr.json <<'E'
{"title":"Vent","error.network":"Pas de réseau","old":"x"}
E
put locales/it.json <<'E'
{"title":"Vento","error.network":"Nessuna rete","error.login":"Errore","gust":"Raffica"}
E
run <<'E'
npm run i18n
E
