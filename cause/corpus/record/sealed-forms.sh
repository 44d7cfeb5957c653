#!/usr/bin/env bash
# The same tools in other forms of output.
. "$(dirname "$0")/lib.sh"
OUT=$here/../sealed
: "${CACHE:=/tmp/c/cache}"
mods() { [ -n "$SKIP" ] || cp -al "$CACHE/$1/node_modules" node_modules; }
put() { if [ -n "$SKIP" ]; then cat >/dev/null; else mkdir -p "$(dirname "$1")"; cat > "$1"; fi; }
old=$PATH

new form-go-json go
put go.mod <<'E'
module example.com/forms

go 1.22
E
put f_test.go <<'E'
package forms

import (
	"fmt"
	"testing"
)

func TestErrors(t *testing.T) {
	for i := 0; i < 250; i++ {
		t.Run(fmt.Sprintf("error-%d", i), func(t *testing.T) { t.Logf("failed as expected: %d", i) })
	}
}
func TestTotal(t *testing.T) {
	if got := 7 * 6; got != 41 {
		t.Errorf("Total() = %d, want 41", got)
	}
}
E
run <<'END'
go test -json ./...
END

new form-gotestsum go
put go.mod <<'E'
module example.com/forms

go 1.22
E
put f_test.go <<'E'
package forms

import (
	"log"
	"testing"
)

func TestErrors(t *testing.T) { log.Println("ERROR: expected") }
func TestDue(t *testing.T) {
	log.Println("loading fixtures, 0 failed")
	if days := 30; days != 31 {
		t.Fatalf("due in %d days, want 31", days)
	}
}
E
run <<'END'
go run gotest.tools/gotestsum@v1.12.0 --format testname ./...
END

new form-pytest-tb-line pytest
put test_f.py <<'E'
import pytest
@pytest.mark.parametrize('n', range(900))
def test_error(n): assert n != 512
E
export PATH=/tmp/c/venv/bin:$old
run <<'END'
pytest -q --tb=line
END

new form-pytest-tb-native pytest
put test_f.py <<'E'
def load(p): return open(p).read()
def test_error(): print('Error: ok')
def test_load(): assert load('fixtures/day.json')
E
run <<'END'
pytest --tb=native -p no:warnings
END
export PATH=$old

new form-cargo-short cargo
[ -n "$SKIP" ] || cargo init -q --lib --vcs none --name forms . >/dev/null 2>&1
put src/lib.rs <<'E'
pub fn error() -> Result<u8, std::num::ParseIntError> { "7".parse() }
pub fn f(x: Option<u8>) -> u8 { match x { Some(n) => n } }
E
run <<'END'
cargo check --message-format short
END

new form-eslint-json eslint
mods eslint__eslint_js_typescript_eslint_typescript_5_9; mkdir -p src; printf "export default [{ rules: { 'no-undef': 'error', 'no-unused-vars': 'warn' } }]\n" > eslint.config.mjs; printf "const error = 1\nfailed()\n" > src/a.js
run <<'END'
npx eslint -f json src
END

new okx-node-tap-nested node:test
mkdir -p test; put test/n.test.mjs <<'E'
import { describe, it } from 'node:test'
import assert from 'node:assert'
for (let s = 0; s < 12; s++) describe('suite ' + s, () => { for (let i = 0; i < 20; i++) it('reports error ' + i, () => {}); describe('inner', () => it('keeps ' + s, () => { console.log('# not ok is only text'); assert.match('2026-11-2' + s, s === 8 ? /^\d{4}-\d\d-\d\d$/ : /^\d/) })) })
E
run <<'END'
node --test --test-reporter=tap
END

new form-npm9-postinstall npm
put package.json <<'E'
{ "name": "forms", "version": "1.0.0", "dependencies": { "lodash": "^4.17.21", "express": "^4.19.0", "webpack": "^5.90.0" }, "scripts": { "prepare": "node build.js" } }
E
put build.js <<'E'
for (let i = 0; i < 30; i++) console.log('copying error page', i)
require('fs').copyFileSync('assets/fonts.css', 'public/fonts.css')
E
PATH=$CACHE/npm9/node_modules/.bin:$old
run <<'END'
npm install --loglevel silly
npm test
END
PATH=$old

new form-mvn-quiet maven
put pom.xml <<'E'
<project><modelVersion>4.0.0</modelVersion><groupId>com.example</groupId><artifactId>forms</artifactId><version>1.0</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build></project>
E
put src/test/java/f/FormTest.java <<'E'
package f;
import org.junit.*;
public class FormTest {
  @Test public void error() { System.out.println("ERROR is only printed"); }
  @Test public void parses() { java.time.LocalDate.parse("2026-13-01"); }
}
E
run <<'END'
mvn -q -B test
END

new form-postgres psql
PRE='chown -R postgres . 2>/dev/null; su postgres -s /bin/sh -c "initdb -D /tmp/pg1 >/dev/null && pg_ctl -D /tmp/pg1 -o \"-p 18432 -k /tmp\" -w start" ; for i in $(seq 1 400); do echo "DROP TABLE IF EXISTS error_log_$i;"; done > 001.sql; printf "CREATE TABLE plan (id int primary key, day date not null);\nINSERT INTO plan VALUES (1, now());\n" > 002.sql; printf "INSERT INTO plan SELECT 1, d FROM generate_series(now(), now(), interval \$\$1 day\$\$) d;\n" > 003.sql'
run <<'END'
for f in 001 002 003; do echo "applying $f"; psql -h 127.0.0.1 -p 18432 -U postgres -v ON_ERROR_STOP=1 -f $f.sql; done
END
su postgres -s /bin/sh -c "pg_ctl -D /tmp/pg1 -m immediate stop" >/dev/null 2>&1
PRE=

new form-clang-make make
put Makefile <<'E'
CC = clang
CFLAGS = -Weverything -fdiagnostics-format=clang
all: $(patsubst %.c,%.o,$(wildcard *.c))
E
[ -n "$SKIP" ] || for i in $(seq 10 90); do printf 'int error_%d(int a, unsigned b) { if (a < b) return 1; return failed_%d(a); }\n' $i $i | sed "s/failed_[0-9]*(a)/a/" > e$i.c; done
put e55.c <<'E'
int error_55(int a) { return failed_total + a; }
E
run <<'END'
make -j3
END

new okx-form-tap node:test
mkdir -p test; put test/n.test.mjs <<'E'
import { describe, it } from 'node:test'
import assert from 'node:assert'
for (let s = 0; s < 10; s++) describe('failure ' + s, () => { for (let i = 0; i < 30; i++) it('throws AssertionError ' + i, () => { console.log('not ok 3 - printed by the program'); assert.throws(() => assert.equal(1, 2)) }); it.skip('fails', () => {}); it.todo('error') })
E
run <<'END'
node --test --test-reporter=tap
END

new okx-psql-notices psql
PRE='chown -R postgres . 2>/dev/null; su postgres -s /bin/sh -c "rm -rf /tmp/pg2; initdb -D /tmp/pg2 >/dev/null && pg_ctl -D /tmp/pg2 -o \"-p 18433 -k /tmp\" -w start"; for i in $(seq 1 300); do echo "DROP TABLE IF EXISTS failed_$i;"; done > 001.sql; printf "DO \$\$ BEGIN RAISE WARNING \$m\$error table was empty\$m\$; END \$\$;\nSELECT 1/0;\nSELECT 1;\n" >> 001.sql'
run <<'END'
psql -h 127.0.0.1 -p 18433 -U postgres -f 001.sql
END
su postgres -s /bin/sh -c "pg_ctl -D /tmp/pg2 -m immediate stop" >/dev/null 2>&1
PRE=
