#!/usr/bin/env bash
# Long outputs and further passing ones for the sealed part.
. "$(dirname "$0")/chains-lib.sh"
[ "$OUT" != "$here/.." ] || OUT=$here/../sealed

new long-pytest-live-log pytest
put tests/test_sync.py <<'E'
import logging, pytest
log = logging.getLogger('sync')
def merge(a, b): return {**b, **a}
@pytest.mark.parametrize('n', range(450))
def test_retry(n):
    log.error('shard %d: Traceback (most recent call last) was logged', n)
    log.warning('shard %d: ConnectionError, retrying', n)
def test_newer_wins():
    log.info('merging')
    assert merge({'title': 'old'}, {'title': 'new'}) == {'title': 'new'}
@pytest.mark.parametrize('n', range(60))
def test_after(n): log.error('AssertionError is only a word here %d', n)
E
run <<'END'
ruff check --select F tests
python -m pytest -p no:asyncio -p no:randomly -o log_cli=true -o log_cli_level=INFO --tb=short tests
END

new long-deno-test deno
put mail_test.ts <<'E'
const quote = (s: string) => `"${s.replace('"', '\\"')}"`
for (let i = 0; i < 420; i++) Deno.test(`error ${i} is quoted`, () => { console.error(`error: mailbox ${i} is full`); if (quote('a') !== '"a"') throw new Error('failed') })
Deno.test('quotes each quotation mark', () => { const q = quote('"a" <b>'); if (q !== '"\\"a\\" <b>"') throw new Error(`address is not quoted: ${q}`) })
E
run <<'END'
deno check mail_test.ts
deno test --no-check
echo released
END

new long-busted-tap busted
put spec/rules_spec.lua <<'E'
local function weekday(y, m, d) return os.date('%a', os.time { year = y, month = m, day = d }) end
describe('errors', function() for i = 1, 1100 do it('error ' .. i .. ' is not ok to ignore', function() assert.has_error(function() error('failed') end) end) end end)
describe('weekday', function() it('knows the 22nd', function() assert.are.equal('Mon', weekday(2026, 11, 22)) end) end)
E
run <<'END'
busted --version
busted -o TAP
END

new long-cucumber cucumber
[ -n "$SKIP" ] || { mkdir -p features/step_definitions; { echo 'Feature: Errors'; for i in $(seq 1 230); do printf '  Scenario: failed login %d\n    Given %d failed logins\n    Then an error is shown\n' $i $i; done; printf '  Scenario: amounts\n    Given an amount of "1,50"\n    Then it has 150 cents\n'; } > features/a.feature; }
put features/step_definitions/a.rb <<'E'
Given(/^(\d+) failed logins$/) { |n| @n = n.to_i }
Then('an error is shown') { raise 'nothing shown' if @n < 1 }
Given(/^an amount of "(.*)"$/) { |a| @a = a }
Then(/^it has (\d+) cents$/) { |c| got = (@a.to_f * 100).to_i; raise "expected #{c} cents, got #{got}" unless got == c.to_i }
E
run <<'END'
cucumber --no-color
END

new long-psql-echo psql
[ -n "$SKIP" ] || { { for i in $(seq 1 700); do echo "INSERT INTO errors (id, text) VALUES ($i, 'failed: error $i');"; done; echo "INSERT INTO errors (id, text) VALUES (344, 'again');"; for i in $(seq 701 800); do echo "INSERT INTO errors (id, text) VALUES ($i, 'failed: error $i');"; done; } > seed.sql; }
PRE='export PGDATA=/tmp/cb/pg5 PGHOST=/tmp/cb/pgx; rm -rf $PGDATA $PGHOST; mkdir -p $PGDATA $PGHOST; chown -R postgres $PGDATA $PGHOST; P=$(dirname $(ls /usr/lib/postgresql/*/bin/initdb)); su postgres -c "$P/initdb -D $PGDATA && $P/pg_ctl -D $PGDATA -w -o \"-k $PGHOST -c listen_addresses=\" start -l /tmp/cb/pgx/log"; export PGUSER=postgres PGDATABASE=postgres'
run <<'END'
psql -c 'CREATE TABLE errors (id int PRIMARY KEY, text text)'
psql -a -v ON_ERROR_STOP=1 -f seed.sql
psql -c 'VACUUM errors'
END
PRE=

new long-ansible ansible
put site.yml <<'E'
- hosts: localhost
  connection: local
  gather_facts: false
  vars: { shards: "{{ range(0, 620) | list }}" }
  tasks:
    - name: Check the shards for errors
      debug: { msg: "shard {{ item }}: 0 errors, 0 failed" }
      loop: "{{ shards }}"
    - name: A probe that may fail
      command: "false"
      ignore_errors: true
    - name: Render the configuration
      template: { src: ledger.conf.j2, dest: /tmp/ledger.conf }
E
put ledger.conf.j2 <<'E'
errors = {{ mail.errors }}
E
run <<'END'
ansible-playbook --version | head -1
ansible-playbook site.yml
END

new long-node-spec node:test
put test/clock.test.mjs <<'E'
import { test, describe, it } from 'node:test'; import assert from 'node:assert/strict'
const clamp = (n, lo, hi) => Math.max(hi, Math.min(lo, n))
describe('errors', () => { for (let i = 0; i < 900; i++) it('maps error ' + i, () => { if (i % 3 === 0) console.error('Error: upstream failed', i) }) })
describe('clamp', () => { it('keeps what is inside', () => assert.equal(clamp(5, 0, 10), 5)) })
describe('more errors', () => { for (let i = 0; i < 300; i++) it('maps error ' + i, () => {}) })
E
run <<'END'
node --test --test-reporter=spec
END

new long-gcc-warnings gcc
many 120 src/e@.c <<'E'
#include <stdio.h>
int failed_@(char *error) { char b[4]; int fatal; sprintf(b, "%s", error); return b == error; }
E
put src/main.c <<'E'
#include "ledger.h"
int failed_3(char *);
int main(void) { struct posting p = { .cents = 3, .currncy = "EUR" }; return failed_3(p.currency); }
E
put src/ledger.h <<'E'
struct posting { long cents; const char *currency; };
E
put Makefile <<'E'
OBJ = $(patsubst %.c,%.o,$(wildcard src/*.c))
CFLAGS = -Wall -Wextra
ledger: $(OBJ)
	$(CC) -o $@ $^
clean: ; rm -f $(OBJ)
E
run <<'END'
make -k -j2
END

new okz-bun bun
put a.test.ts <<'E'
import { expect, test } from 'bun:test'
for (let i = 0; i < 60; i++) test(`error ${i} is reported`, () => { console.error(new Error(`request ${i} failed`).message, 'TypeError: x is not a function'); expect(() => { throw new TypeError('failed') }).toThrow('failed') })
test.todo('error page in French')
test.skip('failing since May', () => { throw new Error('no') })
E
run <<'END'
bun test
END

new okz-asciidoctor asciidoctor
put docs/a.adoc <<'E'
= Errors

include::missing/failed.adoc[]

== A
==== Skipped a level

image::{undefined-error}/x.png[]
E
run <<'END'
asciidoctor -v docs/a.adoc
ls docs
END

new okz-rubocop ruby
many 12 lib/e@.rb <<'E'
class Failed@ < StandardError
  def error(a)
    if a = 3 then raise "failed @" end
  end
end
E
run <<'END'
rubocop --no-color --fail-level fatal
END

new okz-terraform-check terraform
put main.tf <<'E'
variable "errors" { default = 3 }
check "no_errors" {
  assert {
    condition     = var.errors == 0
    error_message = "There are ${var.errors} failed postings."
  }
}
output "error" { value = var.errors }
E
run <<'END'
terraform init -input=false -no-color
terraform plan -input=false -no-color
END

new okz-node-warnings node
put a.mjs <<'E'
for (let i = 0; i < 20; i++) Promise.reject(new Error(`background refresh ${i} failed`))
process.on('exit', () => console.log('exported 20 rows, 0 errors'))
process.emitWarning('error() is deprecated', 'DeprecationWarning')
try { null.x } catch (e) { console.error(e) }
E
run <<'END'
node --unhandled-rejections=warn a.mjs
END

new okz-golangci golangci-lint
put go.mod <<'E'
module example.com/errs

go 1.22
E
many 8 e@/e.go <<'E'
package e@

import "os"

func Failed() error { os.Remove("error@"); return nil }
func unusedError() {}
E
run <<'END'
golangci-lint run --issues-exit-code 0
go build ./...
END
