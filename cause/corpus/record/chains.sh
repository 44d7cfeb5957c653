#!/usr/bin/env bash
# Chains of commands with real packages and their own tests, for the open part.
. "$(dirname "$0")/chains-lib.sh"

new tape-minimist tape
tarball $CHAINS/src/npm/minimist-1.2.8.tgz
edit index.js 's/\[-\+\]\?\(\?:\\d\+\(\?:\\\.\\d\*\)\?/[-+]?(?:\\d+/'
pkg '    "lint": "eslint --no-eslintrc --env node,es6 --rule \x27eqeqeq: 1\x27 --rule \x27no-shadow: 1\x27 .",\n    "test": "nyc --reporter=text tape \x27test/**/*.js\x27"' '    "eslint": "8.8.0",\n    "nyc": "^15.1.0",\n    "tape": "^5.6.3"'
run <<'END'
node --version
npm ci
npm run lint
npm test
END

new tape-resolve tape
tarball $CHAINS/src/npm/resolve-1.22.1.tgz
edit lib/node-modules-paths.js "s/prefix = '\\/'/prefix = '.'/"
pkg '    "pretest": "node -p process.versions",\n    "test": "tape test/*.js"' '    "tape": "^5.6.3",\n    "is-core-module": "^2.9.0",\n    "path-parse": "^1.0.7",\n    "object-keys": "^1.1.1",\n    "array.prototype.map": "^1.0.4",\n    "mv": "^2.1.1",\n    "mkdirp": "^0.5.5",\n    "rimraf": "^2.7.1",\n    "tmp": "^0.0.31",\n    "copy-dir": "^1.3.0",\n    "semver": "^6.3.0",\n    "tap": "0.4.13"'
run <<'END'
npm ci
npm test
npm pack --dry-run
END

new size-limit size-limit
pkg '    "build": "esbuild src/index.js --bundle --minify --outfile=dist/app.js",\n    "size": "size-limit"' '    "size-limit": "^11.0.0",\n    "@size-limit/file": "^11.0.0",\n    "esbuild": "0.19.12",\n    "lodash": "^4.17.21"' ',\n  "size-limit": [\n    { "name": "vendor", "path": "src/*.js", "limit": "4 kB" },\n    { "name": "app", "path": "dist/app.js", "limit": "18 kB" }\n  ]'
put src/index.js <<'E'
import _ from 'lodash'
export const errors = (list) => _.groupBy(list, 'error')
console.log(errors(globalThis.list))
E
run <<'END'
npm ci
npm run build
npm run size
END

new vue-tsc vue-tsc
pkg '    "build": "vite build",\n    "typecheck": "vue-tsc --noEmit"' '    "vite": "^5.4.0",\n    "vue": "^3.4.0",\n    "@vitejs/plugin-vue": "^5.0.0",\n    "vue-tsc": "^2.0.0",\n    "typescript": "5.5.4"'
put tsconfig.json <<'E'
{ "compilerOptions": { "strict": true, "module": "ESNext", "moduleResolution": "bundler", "target": "ES2022", "jsx": "preserve", "lib": ["ES2022", "DOM"], "types": [], "skipLibCheck": true }, "include": ["src"] }
E
put vite.config.js <<'E'
import vue from '@vitejs/plugin-vue'
export default { plugins: [vue()] }
E
put index.html <<'E'
<div id="app"></div><script type="module" src="/src/main.ts"></script>
E
many 30 src/ErrorPage@.vue <<'E'
<script setup lang="ts">
defineProps<{ code: number }>()
</script>
<template><p class="error">failed with {{ code + @ }}</p></template>
E
put src/main.ts <<'E'
import { createApp } from 'vue'
import App from './App.vue'
createApp(App).mount('#app')
E
put src/App.vue <<'E'
<script setup lang="ts">
import ErrorPage7 from './ErrorPage7.vue'
import { ref } from 'vue'
const total = ref(3)
</script>
<template><main><ErrorPage7 :code="total" /><ErrorPage7 code="404" /></main></template>
E
run <<'END'
npm install --no-audit --no-package-lock
npm run build
npm run typecheck
END

new npm-ci-missing-optional npm
pkg '    "build": "vite build"' '    "vite": "^5.4.0"'
# npm writes the other systems' packages into that lock file without a version, and then misses them.
run <<'END'
npm ci --no-audit
npm run build
END

new jest-ci-snapshot jest
pkg '    "test": "jest --ci --coverage --coverageReporters=text"' '    "jest": "^29.7.0"'
put jest.config.js <<'E'
module.exports = { testEnvironment: 'node' }
E
many 45 src/money@.js <<'E'
exports.money@ = (n) => { if (n < 0) throw new Error('failed: negative @'); return `${n}.00 EUR` }
E
many 45 src/money@.test.js <<'E'
const { money@ } = require('./money@')
test('formats @', () => { console.error('Error: rate @ is older than a day'); expect(money@(3)).toBe('3.00 EUR') })
test('rejects @', () => { expect(() => money@(-1)).toThrow('failed') })
E
put src/invoice.test.js <<'E'
const { money3 } = require('./money3')
test('prints an invoice', () => { expect({ total: money3(7), lines: [1, 2] }).toMatchSnapshot() })
E
run <<'END'
npm ci
npm test
END

new lerna-run lerna
[ -n "$SKIP" ] || for p in api cli core docs errors; do mkdir -p packages/$p; printf '{ "name": "@acme/%s", "version": "1.0.0", "scripts": { "build": "node -e \\"for (let i = 0; i < 40; i++) console.log(`compiled %s/${i}.ts, 0 errors`)\\"", "test": "node --test" } }\n' $p $p > packages/$p/package.json; printf "const { test } = require('node:test')\nconst assert = require('node:assert')\nfor (let i = 0; i < 30; i++) test('%s handles error ' + i, () => assert.ok(true))\n" $p > packages/$p/$p.test.js; done
[ -n "$SKIP" ] || printf "test('core sorts by due date', () => assert.deepEqual([3, 1, 2].sort(), [1, 3, 2]))\n" >> packages/core/core.test.js
put lerna.json <<'E'
{ "version": "1.0.0", "packages": ["packages/*"] }
E
[ -n "$SKIP" ] || { printf '{ "name": "root", "private": true, "workspaces": ["packages/*"] }\n' > package.json; cp -al $CHAINS/cache/lerna/node_modules node_modules; }
run <<'END'
npx lerna run build --concurrency 2
npx lerna run test --concurrency 2 --no-bail
END

new turbo-run turbo
[ -n "$SKIP" ] || for p in web admin ui tokens; do mkdir -p packages/$p; printf '{ "name": "@acme/%s", "version": "1.0.0", "scripts": { "build": "node build.js" } }\n' $p > packages/$p/package.json; printf "for (let i = 0; i < 90; i++) console.log(i %% 9 ? \`  built chunk \${i}\` : \`warning: chunk \${i} failed to be split, error boundary added\`)\n" > packages/$p/build.js; done
[ -n "$SKIP" ] || printf "const theme = require('./theme.json')\n" >> packages/admin/build.js
put turbo.json <<'E'
{ "tasks": { "build": { "outputs": ["dist/**"] } } }
E
[ -n "$SKIP" ] || { printf '{ "name": "root", "private": true, "packageManager": "npm@11.0.0", "workspaces": ["packages/*"] }\n' > package.json; cp -al $CHAINS/cache/mono/node_modules node_modules; }
PRE='git init -q; npm install --package-lock-only --ignore-scripts'
run <<'END'
npx turbo run build --concurrency=2 --telemetry=false --no-daemon || npx turbo run build --concurrency=2 --no-daemon
END
PRE=

new nyc-threshold nyc
pkg '    "test": "nyc --check-coverage --lines 95 --reporter=text mocha"' '    "nyc": "^15.1.0",\n    "mocha": "^10.0.0"'
many 25 lib/rule@.js <<'E'
module.exports = (n) => { if (n > 100) { throw new Error('failed rule @') } return n }
E
many 25 test/rule@.js <<'E'
const assert = require('assert')
describe('rule @', () => { it('accepts error codes', () => assert.equal(require('../lib/rule@')(3), 3)) })
E
put lib/legacy.js <<'E'
exports.parse = (s) => {
  if (!s) return null
  const out = []
  for (const p of s.split(',')) {
    if (p === 'x') continue
    out.push(p.trim())
  }
  return out
}
E
put test/legacy.js <<'E'
require('../lib/legacy')
E
run <<'END'
npm ci
npm test
END

new npm-run-tool-missing npm
put package.json <<'E'
{ "name": "acme", "type": "module", "main": "src/index.js", "scripts": { "lint:unused": "knip" }, "dependencies": { "leftpad-nope": "1.0.0" }, "devDependencies": { "knip": "*", "prettier": "*" } }
E
put src/index.js <<'E'
import { a } from './used.js'
console.log(a)
E
put src/used.js <<'E'
export const a = 1
export const error = 2
E
put src/orphan.js <<'E'
export const failed = true
E
run <<'END'
npm run lint:unused
END

new knip knip
[ -n "$SKIP" ] || cp -al $CHAINS/cache/lint/node_modules node_modules
put package.json <<'E'
{ "name": "acme", "type": "module", "main": "src/index.js", "scripts": { "lint:unused": "knip" }, "dependencies": { "leftpad-nope": "1.0.0" }, "devDependencies": { "knip": "*", "prettier": "*" } }
E
put src/index.js <<'E'
import { a } from './used.js'
console.log(a)
E
put src/used.js <<'E'
export const a = 1
export const error = 2
E
put src/orphan.js <<'E'
export const failed = true
E
run <<'END'
npm run lint:unused
END

new commitlint-no-config npx
put commitlint.config.mjs <<'E'
export default { extends: ['@commitlint/config-conventional'] }
E
PRE='git init -q -b main; echo node_modules > .gitignore; git add .gitignore; git commit -qm "chore: start"; for m in "fix: handle error of a closed socket" "Fixed the build." "feat: retry failed uploads"; do git commit -q --allow-empty -m "$m"; done'
run <<'END'
git log --oneline
npx commitlint --from HEAD~3 --to HEAD --verbose
END
PRE=

new commitlint commitlint
[ -n "$SKIP" ] || cp -al $CHAINS/cache/lint/node_modules node_modules
put commitlint.config.mjs <<'E'
export default { extends: ['@commitlint/config-conventional'] }
E
PRE='git init -q -b main; echo node_modules > .gitignore; git add .gitignore; git commit -qm "chore: start"; for m in "fix: handle error of a closed socket" "Fixed the build." "feat: retry failed uploads"; do git commit -q --allow-empty -m "$m"; done'
run <<'END'
git log --oneline
npx commitlint --from HEAD~3 --to HEAD --verbose
END
PRE=

new cspell cspell
[ -n "$SKIP" ] || cp -al $CHAINS/cache/lint/node_modules node_modules
many 12 docs/error@.md <<'E'
# Error @

The request failed because the server was not reachable.
E
put docs/setup.md <<'E'
# Set up

Run the installer, then configure the databse and restart.
E
run <<'END'
npx cspell "docs/**/*.md"
npx markdownlint-cli2 "docs/**/*.md"
END

new markdownlint markdownlint
[ -n "$SKIP" ] || cp -al $CHAINS/cache/lint/node_modules node_modules
put README.md <<'E'
# Errors

* one
* two
#Failed heading
E
run <<'END'
npx prettier --check "*.md" || true
npx markdownlint-cli2 "*.md"
END

new madge-circular madge
[ -n "$SKIP" ] || cp -al $CHAINS/cache/lint/node_modules node_modules
many 60 src/m@.js <<'E'
import './errors.js'
E
put src/errors.js <<'E'
import './store/index.js'
E
put src/store/index.js <<'E'
import '../errors.js'
E
run <<'END'
npx madge --version
npx madge --circular --extensions js src
END

new mocha-done-twice mocha
pkg '    "test": "mocha --exit --reporter dot"' '    "mocha": "^10.0.0"'
many 40 test/queue@.js <<'E'
const assert = require('assert')
describe('queue @', () => { for (let i = 0; i < 5; i++) it(`survives error ${i}`, (done) => { console.log(`ERROR worker @: job ${i} failed, retrying`); setTimeout(done, 1) }) })
E
put test/zdrain.js <<'E'
const { EventEmitter } = require('events')
describe('drain', () => {
  it('emits once when empty', (done) => {
    const e = new EventEmitter()
    e.on('empty', () => done())
    e.emit('empty')
    setTimeout(() => e.emit('empty'), 5)
  })
  it('waits', (done) => setTimeout(done, 50))
})
E
run <<'END'
npm ci
npm test
END

new express-supertest mocha
pkg '    "test": "mocha --timeout 4000"' '    "mocha": "^10.0.0",\n    "express": "4.17.1",\n    "supertest": "^6.3.0",\n    "morgan": "^1.10.0"'
put app.js <<'E'
const express = require('express')
const app = express()
app.use(require('morgan')('tiny', { stream: { write: (l) => process.stdout.write('  ' + l) } }))
app.get('/errors/:n', (q, s) => s.status(500).send('Error: failed ' + q.params.n))
app.get('/users/:id', (q, s) => s.json({ id: q.params.id, name: q.params.id.profile.name }))
module.exports = app
E
put test/app.js <<'E'
const request = require('supertest'), app = require('../app')
describe('errors', () => { for (let i = 0; i < 120; i++) it('answers 500 for ' + i, () => request(app).get('/errors/' + i).expect(500)) })
describe('GET /users/:id', () => {
  it('answers with the name', () => request(app).get('/users/7').expect('content-type', /json/).expect(200))
})
describe('404', () => { for (let i = 0; i < 60; i++) it('answers 404 for ' + i, () => request(app).get('/gone/' + i).expect(404)) })
E
run <<'END'
npm ci
npm test
END

new pytest-sqlparse pytest
tarball $CHAINS/src/py/sqlparse-0.6.1.tar.gz
edit sqlparse/keywords.py "s/\\(r'\\(CASE\\|IN\\|VALUES/(r'(CASE|VALUES/"
run <<'END'
python -m pip install -q --no-deps --no-build-isolation -e . || pip install hatchling
python -m pytest -v --durations=5
END

new poetry-lock poetry
put pyproject.toml <<'E'
[tool.poetry]
name = "ledger"
version = "0.3.0"
description = ""
authors = ["Ada <ada@example.com>"]
package-mode = false
[tool.poetry.dependencies]
python = "^3.11"
idna = "^3.4"
E
PRE='poetry lock; sed -i "s/^idna.*/idna = \"^3.6\"\ntoolz = \"^1.0\"/" pyproject.toml'
run <<'END'
poetry --version
poetry config virtualenvs.create false --local
poetry check --lock || echo "will be checked again by install"
poetry install --no-interaction --no-ansi
poetry run pytest
END
PRE=

new nox nox
put noxfile.py <<'E'
import nox
@nox.session(venv_backend='none')
def lint(session): session.run('ruff', 'check', 'src', external=True)
@nox.session(venv_backend='none')
def types(session): session.run('mypy', 'src', external=True)
@nox.session(venv_backend='none')
def tests(session): session.run('pytest', '-q', 'tests', external=True)
E
put src/errors.py <<'E'
def error(code: int) -> str:
    return f'error {code}'
E
put tests/test_errors.py <<'E'
import sys
sys.path.insert(0, 'src')
from errors import error
def test_error(): assert error(404) == 'error 404'
def test_failed_code(): assert error(-1) == 'unknown error'
E
run <<'END'
nox
END

new sphinx-warnings sphinx
put docs/conf.py <<'E'
project = 'Errors'
extensions = ['sphinx.ext.autodoc']
E
many 40 docs/error@.rst <<'E'
Error @
========

Raised when step @ failed.
E
put docs/index.rst <<'E'
Errors
======

.. toctree::
   :glob:

   error*

See :doc:`migration-guide` and :ref:`retries`.
E
run <<'END'
sphinx-build --version
sphinx-build -W --keep-going -b html docs build/html
END

new ruff-imports ruff
many 20 app/m@.py <<'E'
import logging
log = logging.getLogger(__name__)
def failed@(e): log.error('failed %s', e)
E
put app/run.py <<'E'
import subprocess
def run(cmd): return subprocess.check_output(cmd, shell=True)
E
run <<'END'
ruff check app
mypy app
END

new pyright pyright
put pyrightconfig.json <<'E'
{ "include": ["app"], "typeCheckingMode": "strict", "pythonVersion": "3.11" }
E
many 15 app/ok@.py <<'E'
class Error@(Exception):
    """Failed."""
E
put app/cart.py <<'E'
from app.ok3 import Error3

class Cart:
    def __init__(self) -> None:
        self.items: dict[str, int] = {}

    def total(self) -> int:
        if not self.items:
            raise Error3("failed")
        return sum(self.items.values())

    def first(self) -> str:
        return self.items.get("first")
E
run <<'END'
pip list
pyright --stats
END

new pytest-timeout pytest
put tests/test_pool.py <<'E'
import threading, time, logging
log = logging.getLogger('pool')
def worker(stop):
    while not stop.wait(0.05): log.error('heartbeat failed, will try again')
def test_errors_are_logged():
    s = threading.Event(); t = threading.Thread(target=worker, args=(s,)); t.start(); time.sleep(0.2); s.set(); t.join()
def test_close_waits_for_worker():
    s = threading.Event(); t = threading.Thread(target=worker, args=(s,), daemon=True); t.start()
    t.join()
def test_after(): pass
E
run <<'END'
python -m pytest --timeout 3 -v tests
END

new xdist-worker-crash pytest
put tests/test_native.py <<'E'
import ctypes, pytest
@pytest.mark.parametrize('n', range(60))
def test_error_code(n): print('error', n); assert n >= 0
def test_decode_frame(): ctypes.string_at(0)
@pytest.mark.parametrize('n', range(60))
def test_after(n): assert n >= 0
E
run <<'END'
pytest -n 2 -v tests
END

new alembic-heads alembic
put alembic.ini <<'E'
[alembic]
script_location = migrations
sqlalchemy.url = sqlite:///ledger.db
[loggers]
keys = root,alembic
[handlers]
keys = console
[formatters]
keys = generic
[logger_root]
level = WARN
handlers = console
qualname =
[logger_alembic]
level = INFO
handlers =
qualname = alembic
[handler_console]
class = StreamHandler
args = (sys.stderr,)
level = NOTSET
formatter = generic
[formatter_generic]
format = %(levelname)-5.5s [%(name)s] %(message)s
datefmt = %H:%M:%S
E
put migrations/env.py <<'E'
from logging.config import fileConfig
from alembic import context
from sqlalchemy import create_engine
fileConfig(context.config.config_file_name)
with create_engine(context.config.get_main_option('sqlalchemy.url')).connect() as c:
    context.configure(connection=c)
    with context.begin_transaction(): context.run_migrations()
E
[ -n "$SKIP" ] || { mkdir -p migrations/versions; for i in $(seq 1 25); do d="'r$((i-1))'"; [ $i = 1 ] && d=None; printf '"""Create error table %d."""\nfrom alembic import op\nimport sqlalchemy as sa\nrevision = "r%d"\ndown_revision = %s\ndef upgrade(): op.create_table("errors_%d", sa.Column("id", sa.Integer))\ndef downgrade(): pass\n' $i $i "$d" $i > migrations/versions/r$i.py; done; printf '"""Drop a column."""\nfrom alembic import op\nrevision = "r26"\ndown_revision = "r25"\ndef upgrade(): op.execute("ALTER TABLE invoices DROP COLUMN failed_at")\ndef downgrade(): pass\n' > migrations/versions/r26.py; }
run <<'END'
alembic history | head -5
alembic upgrade head
alembic check
END

new precommit pre-commit
put .pre-commit-config.yaml <<'E'
repos:
  - repo: local
    hooks:
      - { id: ruff, name: ruff (errors only), entry: ruff check --select F, language: system, types: [python] }
      - { id: no-print, name: no print, language: pygrep, entry: '^\s*print\(', types: [python] }
      - { id: yaml, name: check yaml, entry: yamllint -d relaxed, language: system, types: [yaml] }
      - { id: shell, name: shellcheck, entry: shellcheck, language: system, types: [shell] }
E
put app/a.py <<'E'
def failed(error: str) -> str:
    return error
E
put app/b.py <<'E'
def debug(error: str) -> None:
    print(error)
E
put run.sh <<'E'
#!/bin/sh
echo "error"
E
PRE='git init -q; git add .'
run <<'END'
pre-commit run --all-files --color never
END
PRE=

new pytest-bdd-behave behave
put features/pay.feature <<'E'
Feature: Paying
  Scenario Outline: An error is shown
    Given a cart with <n> items
    When the card is refused
    Then the page says "payment failed"
    Examples:
      | n |
      | 1 |
      | 2 |
      | 3 |
  Scenario: The receipt
    Given a cart with 2 items
    When the card is accepted
    Then the receipt shows 40 EUR
E
put features/steps/pay.py <<'E'
from behave import given, when, then
@given('a cart with {n:d} items')
def cart(c, n): c.total = n * 19
@when('the card is {state}')
def card(c, state): c.says = 'payment failed' if state == 'refused' else 'thanks'
@then('the page says "{t}"')
def says(c, t): assert c.says == t
@then('the receipt shows {n:d} EUR')
def receipt(c, n): assert c.total == n, f'receipt shows {c.total} EUR'
E
run <<'END'
behave --no-capture --no-color
END

new zlib-configure make
[ -n "$SKIP" ] || tar xjf $CHAINS/src/zlib_1.2.13.dfsg.orig.tar.bz2 --strip-components=1
edit inftrees.c 's/left -= count\[len\];/left -= count[len] + (len == 7);/'
run <<'END'
./configure --static
make -j2
make test
END

new redis-struct make
[ -n "$SKIP" ] || tar xzf $CHAINS/src/redis_7.0.15.orig.tar.gz --strip-components=1
edit src/t_zset.c 's/zset_len \+= /zsetlen += /;0,/server\.zset_max_listpack_entries/s//server.zset_max_listpack_entry_count/'
LIMIT=900
run <<'END'
make --version
make -j2 MALLOC=libc OPTIMIZATION=-O0
make test
END
LIMIT=

new cmocka cmocka
put test_ring.c <<'E'
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
static int next(int i, int size) { return (i + 1) % (size - 1); }
static void error_on_empty(void **s) { (void)s; assert_int_equal(next(0, 8), 1); }
static void failed_allocation(void **s) { (void)s; print_message("ERROR: allocation failed (simulated)\n"); }
static void wraps_at_the_end(void **s) { (void)s; assert_int_equal(next(6, 8), 7); }
int main(void) { const struct CMUnitTest t[] = { cmocka_unit_test(error_on_empty), cmocka_unit_test(failed_allocation), cmocka_unit_test(wraps_at_the_end) }; return cmocka_run_group_tests(t, NULL, NULL); }
E
run <<'END'
cc -Wall -o test_ring test_ring.c -lcmocka
./test_ring
rm -f test_ring
END

new clang-tidy clang-tidy
put src/a.cpp <<'E'
#include <string>
#include <vector>
int sum(std::vector<int> v) { int error = 0; for (int x : v) error += x; return error; }
std::string name(bool b) { std::string s = b ? "failed" : "ok"; std::string t = std::move(s); return s + t; }
E
run <<'END'
clang-tidy --version | head -2
clang-tidy -quiet -checks='-*,bugprone-*,performance-*' -warnings-as-errors='bugprone-*' src/a.cpp -- -std=c++17
END

new clang-format clang-format
many 8 src/ok@.c <<'E'
int failed@(int error) { return error; }
E
put src/list.c <<'E'
int  len(int*a){return a[0];}
E
run <<'END'
clang-format --version
clang-format --style=LLVM --dry-run -Werror src/*.c
END

new staticcheck staticcheck
put go.mod <<'E'
module example.com/acme

go 1.22
E
put a.go <<'E'
package acme

import (
	"errors"
	"fmt"
	"time"
)

var ErrFailed = errors.New("failed")

func Wait(n int) error {
	time.Sleep(n * time.Nanosecond)
	return ErrFailed
}
E
put b.go <<'E'
package acme

import "time"

func Sleep(n int) { time.Sleep(50) }
E
edit a.go 's/n \* time/time.Duration(n) * time/;/"fmt"/d'
run <<'END'
go build ./...
go vet ./...
staticcheck ./...
END

new ginkgo ginkgo
put go.mod <<'E'
module example.com/acme

go 1.22

require (
	github.com/onsi/ginkgo/v2 v2.20.0
	github.com/onsi/gomega v1.34.0
)
E
put suite_test.go <<'E'
package acme_test

import (
	"fmt"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestAcme(t *testing.T) { RegisterFailHandler(Fail); RunSpecs(t, "Acme Suite") }

var _ = Describe("Queue", func() {
	for i := 0; i < 60; i++ {
		It(fmt.Sprintf("logs error %d", i), func() { GinkgoWriter.Println("ERROR failed", i); Expect(i).To(BeNumerically(">=", 0)) })
	}
	Context("when it is full", func() {
		It("refuses further jobs", func() {
			By("filling it")
			jobs := make([]int, 10)
			Expect(len(jobs)).To(Equal(11), "capacity")
		})
	})
})
E
PRE='go mod tidy'
run <<'END'
go mod download
go vet ./...
ginkgo -v --no-color -r
END
PRE=

new mix-test elixir
put mix.exs <<'E'
defmodule Ledger.MixProject do
  use Mix.Project
  def project, do: [app: :ledger, version: "0.1.0", elixir: "~> 1.14", deps: []]
  def application, do: [extra_applications: [:logger]]
end
E
put lib/ledger.ex <<'E'
defmodule Ledger do
  require Logger
  def post(amount) when amount < 0, do: (Logger.error("posting #{amount} failed"); {:error, :negative})
  def post(amount), do: {:ok, amount * 100}
end
E
put test/test_helper.exs <<'E'
ExUnit.start()
E
put test/ledger_test.exs <<'E'
defmodule LedgerTest do
  use ExUnit.Case
  for i <- 1..80, do: test("error #{i}", do: assert {:error, :negative} = Ledger.post(-unquote(i)))
  test "keeps cents" do
    assert {:ok, 1999} = Ledger.post(19.99)
  end
end
E
run <<'END'
elixir --version
mix compile --warnings-as-errors
mix test --seed 0 --trace
END

new dune-build dune
put dune-project <<'E'
(lang dune 2.9)
E
put bin/dune <<'E'
(executable (name main))
E
put bin/main.ml <<'E'
let failed (error : string) = print_endline ("error: " ^ error)
let total xs = List.fold_left (fun a x -> a + x) 0 xs
let () = failed (total [1; 2; 3])
E
run <<'END'
ocaml -version
dune build 2>&1
dune runtest
END

new gfortran gfortran
put src/solve.f90 <<'E'
module solve
  implicit none
contains
  real function residual(x) result(error)
    real, intent(in) :: x(:)
    error = sum(x) / nrows
  end function
end module
E
put Makefile <<'E'
FFLAGS = -Wall -O2
libsolve.a: src/solve.o
	ar rcs $@ $^
%.o: %.f90
	gfortran $(FFLAGS) -c $< -o $@
E
run <<'END'
make
END

new nginx-config nginx
put nginx.conf <<'E'
error_log stderr warn;
events {}
http {
  access_log off;
  upstream app { server 127.0.0.1:3000 max_fails=3; }
  server {
    listen 8080;
    error_page 500 502 503 /error.html;
    location / { proxy_pass http://app; proxy_set_header Host $hst; }
  }
}
E
run <<'END'
nginx -v
nginx -t -c /drone/src/nginx.conf
END

new psql-migrations psql
[ -n "$SKIP" ] || { for i in $(seq 10 49); do printf -- "CREATE TABLE errors_%d (id serial PRIMARY KEY, failed_at timestamptz);\nCREATE INDEX IF NOT EXISTS errors_%d_failed ON errors_%d (failed_at);\nDROP TABLE IF EXISTS tmp_error_%d;\n" $i $i $i $i > 00$i.sql; done; printf 'ALTER TABLE errors_12 ADD COLUMN code text;\nALTER TABLE errors_12 ALTER COLUMN code SET NOT NULL;\nALTER TABLE errors_13 ADD CONSTRAINT fk FOREIGN KEY (owner_id) REFERENCES errors_12 (id);\n' > 0037.sql; }
put migrate.sh <<'E'
#!/bin/bash
set -euo pipefail
for f in 00*.sql; do
  echo "applying $f"
  psql -v ON_ERROR_STOP=1 -1 -f "$f"
done
echo "all migrations applied"
E
PRE='export PGDATA=/tmp/cb/pg1 PGHOST=/tmp/cb/pgs; rm -rf $PGDATA $PGHOST; mkdir -p $PGDATA $PGHOST; chmod 711 /tmp/cb; chown -R postgres $PGDATA $PGHOST; P=$(dirname $(ls /usr/lib/postgresql/*/bin/initdb)); su postgres -c "$P/initdb -D $PGDATA && $P/pg_ctl -D $PGDATA -w -o \"-k $PGHOST -c listen_addresses=\" start -l /tmp/cb/pgs/log"; psql -U postgres -c "create database ledger"; export PGUSER=postgres PGDATABASE=ledger'
run <<'END'
psql --version
bash migrate.sh
npm test
END
PRE=

new ok-tape-object-inspect tape
tarball $CHAINS/src/npm/object-inspect-1.12.3.tgz
pkg '    "test": "nyc --reporter=text tape \x27test/err.js\x27 \x27test/values.js\x27 \x27test/deep.js\x27"' '    "nyc": "^15.1.0",\n    "tape": "^5.6.3",\n    "es-value-fixtures": "^1.4.2",\n    "error-cause": "^1.0.5",\n    "for-each": "^0.3.3",\n    "functions-have-names": "^1.2.3",\n    "has-tostringtag": "^1.0.0",\n    "mock-property": "^1.0.0",\n    "make-arrow-function": "^1.2.0"'
run <<'END'
npm ci
npm test
END

new go-test-vet go
copy ~/go/pkg/mod/github.com/pkg/errors@v0.9.1
run <<'END'
[ -f go.mod ] || go mod init github.com/pkg/errors
go vet -unreachable=false ./... || echo "vet failed, not required yet"
go test -v ./...
END

new ok-pytest-reruns pytest
put tests/test_net.py <<'E'
import logging, pytest
log = logging.getLogger('net')
seen = {}
@pytest.mark.parametrize('n', range(40))
def test_fetch(n):
    seen[n] = seen.get(n, 0) + 1
    if n % 8 == 3 and seen[n] < 3: raise ConnectionError(f'connection to shard {n} refused')
    log.error('request %d failed once', n)
E
run <<'END'
pytest --reruns 3 -v -rR -o log_cli=true tests
END

new ok-npm-retry sh
put retry.sh <<'E'
#!/bin/bash
set -u
for i in 1 2 3 4; do
  "$@" && exit 0
  echo "attempt $i failed with exit code $?, retrying in 0.$i s" >&2
  sleep 0.$i
done
exit 1
E
put package.json <<'E'
{ "name": "smoke", "version": "1.0.0", "scripts": { "smoke": "node smoke.js", "lint": "echo 0 errors" } }
E
put smoke.js <<'E'
const fs = require('fs'); const n = fs.existsSync('n') ? +fs.readFileSync('n') : 0; fs.writeFileSync('n', `${n + 1}`)
if (n < 2) throw new Error('connect ECONNREFUSED 127.0.0.1:4000')
console.log('smoke: 3 of 3 endpoints answer')
E
run <<'END'
npm run lint
bash retry.sh npm run smoke
END

new ok-psql-tolerated psql
PRE='export PGDATA=/tmp/cb/pg2 PGHOST=/tmp/cb/pgt; rm -rf $PGDATA $PGHOST; mkdir -p $PGDATA $PGHOST; chown -R postgres $PGDATA $PGHOST; P=$(dirname $(ls /usr/lib/postgresql/*/bin/initdb)); su postgres -c "$P/initdb -D $PGDATA && $P/pg_ctl -D $PGDATA -w -o \"-k $PGHOST -c listen_addresses=\" start -l /tmp/cb/pgt/log"; export PGUSER=postgres PGDATABASE=postgres'
put seed.sql <<'E'
CREATE ROLE errors;
CREATE ROLE errors;
CREATE TABLE failed (id int PRIMARY KEY);
CREATE TABLE failed (id int PRIMARY KEY);
INSERT INTO failed VALUES (1), (2);
INSERT INTO failed VALUES (1);
DROP TABLE IF EXISTS fatal;
SELECT count(*) AS errors FROM failed;
E
run <<'END'
psql -f seed.sql
psql -Atc 'select count(*) from failed'
END
PRE=

new ok-mix-test elixir
put mix.exs <<'E'
defmodule Errs.MixProject do
  use Mix.Project
  def project, do: [app: :errs, version: "0.1.0", elixir: "~> 1.14", deps: []]
  def application, do: [extra_applications: [:logger]]
end
E
put lib/errs.ex <<'E'
defmodule Errs do
  use GenServer
  def init(x), do: {:ok, x}
  def unused(error), do: :ok
  def handle_call(:boom, _from, _s), do: raise "failed on purpose"
end
E
put test/test_helper.exs <<'E'
ExUnit.start()
E
put test/errs_test.exs <<'E'
defmodule ErrsTest do
  use ExUnit.Case
  for i <- 1..12 do
    test "a crashed server is noticed #{i}" do
      Process.flag(:trap_exit, true)
      {:ok, p} = GenServer.start_link(Errs, 1)
      assert {{%RuntimeError{message: "failed on purpose"}, _}, _} = catch_exit(GenServer.call(p, :boom))
    end
  end
end
E
run <<'END'
mix compile
mix test --seed 0
END

new ok-cjson-ctest ctest
[ -n "$SKIP" ] || tar xzf $CHAINS/src/cjson_1.7.15.orig.tar.gz --strip-components=1
run <<'END'
cmake -B build -DCMAKE_POLICY_VERSION_MINIMUM=3.5 -DENABLE_CJSON_UTILS=On
cmake --build build -j2
ctest --test-dir build -V
END

new ok-make-check-xfail make
put check.sh <<'E'
#!/bin/sh
# Runs each case; those listed in known-failures must fail.
for c in cases/*.sh; do
  n=$(basename $c .sh)
  if sh $c; then s=PASS; else s=FAIL; fi
  if grep -qx "$n" known-failures; then [ $s = FAIL ] && s=XFAIL || s=XPASS; fi
  echo "$s: $n"
  case $s in FAIL | XPASS) bad=1 ;; esac
done
exit ${bad:-0}
E
many 60 cases/error@.sh <<'E'
echo "error: case @ reports a problem" >&2
test $((@ % 9)) -ne 4
E
[ -n "$SKIP" ] || for i in $(seq 4 9 60); do echo error$i; done > known-failures
put Makefile <<'E'
check: ; sh check.sh
	-rm nothing-here
	@echo "# of unexpected failures: 0"
E
run <<'END'
make check
END

new ok-maven-flaky maven
put pom.xml <<'E'
<project><modelVersion>4.0.0</modelVersion><groupId>com.acme</groupId><artifactId>errors</artifactId><version>1.0</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version><configuration><rerunFailingTestsCount>2</rerunFailingTestsCount></configuration></plugin><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin></plugins></build></project>
E
put src/test/java/com/acme/FlakyTest.java <<'E'
package com.acme;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class FlakyTest {
  static int n = 0;
  @Test void answersInTime() { n++; System.err.println("ERROR upstream failed, try " + n); assertTrue(n > 1, "no answer in time"); }
  @Test void stack() { new IllegalStateException("fatal only in the log").printStackTrace(); }
}
E
run <<'END'
mvn -B -ntp verify
END
