#!/usr/bin/env bash
# Whole pipelines: several commands, much output before and after what fails. SEALED=1 records those of the sealed part.
. "$(dirname "$0")/lib.sh"
: "${CACHE:=/tmp/c/cache}"
mods() { [ -n "$SKIP" ] || cp -al "$CACHE/$1/node_modules" node_modules; }
pkg() { printf '{\n  "name": "ledger",\n  "version": "2.3.0",\n  "private": true,\n  "scripts": {\n%b\n  }%b\n}\n' "$1" "${2:-}" > package.json; }
put() { if [ -n "$SKIP" ]; then cat >/dev/null; else mkdir -p "$(dirname "$1")"; cat > "$1"; fi; }
old=$PATH

new pipe-node-coverage vitest
pkg '    "lint": "echo 0 problems",\n    "test": "vitest run --coverage"'; mods vcov; mkdir src
for i in $(seq 1 120); do printf "export function error$i(n) { if (n > 3) return 'failed'; return n }\n" > src/f$i.js; done
for i in $(seq 1 30); do printf "import { expect, it } from 'vitest'\nimport { error$i } from './f$i.js'\nit('error $i', () => { console.warn('[vue warn]: Failed to resolve component: x-$i'); expect(error$i(9)).toBe('failed') })\n" > src/f$i.test.js; done
printf "import { expect, it } from 'vitest'\nimport { error31 } from './f31.js'\nit('passes small numbers', () => { expect(error31(3)).toBe('3') })\n" > src/f31.test.js
printf "export default { test: { coverage: { provider: 'v8', all: true, include: ['src/f*.js'], reportOnFailure: true } } }\n" > vitest.config.mjs
run <<'END'
node --version
npm run lint
npm test
END

new pipe-python pytest
put requirements.txt <<'E'
requests==2.31.0
flask==3.0.0
E
put app/__init__.py <<'E'
E
put app/main.py <<'E'
from flask import Flask, jsonify
app = Flask(__name__)
@app.get('/health')
def health() -> object: return jsonify(status='degraded')
E
put tests/test_main.py <<'E'
import warnings, pytest
from app.main import app
@pytest.mark.parametrize('n', range(300))
def test_error_pages(n):
    warnings.warn(f'error page {n} is deprecated', DeprecationWarning)
    assert app.test_client().get(f'/nope/{n}').status_code == 404
def test_health():
    r = app.test_client().get('/health')
    assert r.get_json()['status'] == 'ok', r.data
E
export PATH=/tmp/c/venv/bin:$old
run <<'END'
python -m pip install --target /tmp/deps -r requirements.txt
ruff check app
python -m pytest -v -W default
END
export PATH=$old

new pipe-python-tests pytest
put requirements.txt <<'E'
requests==2.31.0
flask==3.0.0
E
put app/__init__.py <<'E'
E
put app/main.py <<'E'
from flask import Flask, jsonify
app = Flask(__name__)
@app.get('/health')
def health() -> object: return jsonify(status='degraded')
E
put tests/test_main.py <<'E'
import warnings, pytest
from app.main import app
@pytest.mark.parametrize('n', range(300))
def test_error_pages(n):
    warnings.warn(f'error page {n} is deprecated', DeprecationWarning)
    assert app.test_client().get(f'/nope/{n}').status_code == 404
def test_health():
    r = app.test_client().get('/health')
    assert r.get_json()['status'] == 'ok', r.data
E
export PATH=/tmp/c/venv/bin:$old
run <<'END'
python -m pip install --target /tmp/deps -r requirements.txt
ruff check --select F app
python -m pytest -v -W default
END
export PATH=$old

new pipe-go-packages go
put go.mod <<'E'
module example.com/ledger

go 1.22

require github.com/google/uuid v1.6.0
E
[ -n "$SKIP" ] || for i in $(seq 1 40); do mkdir -p internal/p$i; printf 'package p%d\n\nfunc Err(n int) int { return n + %d }\n' $i $i > internal/p$i/p.go; [ $((i%3)) = 0 ] || printf 'package p%d\n\nimport "testing"\n\nfunc TestErr(t *testing.T) {\n\tif Err(1) != %d {\n\t\tt.Errorf("Err(1) = %%d, want %d", Err(1))\n\t}\n}\n' $i $((i+1)) $((i+1)) > internal/p$i/p_test.go; done
[ -n "$SKIP" ] || sed -i 's/n + 23/n + 24/' internal/p23/p.go
put main.go <<'E'
package main

import "github.com/google/uuid"

func main() { println(uuid.NewString()) }
E
PRE='go mod tidy'
run <<'END'
go version
go mod download -x
go vet ./...
go test -race -coverprofile=cover.out ./...
go build ./...
END
PRE=

new pipe-maven-reactor maven
put pom.xml <<'E'
<project><modelVersion>4.0.0</modelVersion><groupId>com.example</groupId><artifactId>ledger</artifactId><version>1.0</version><packaging>pom</packaging>
<modules><module>core</module><module>bank</module><module>web</module></modules>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin></plugins></build></project>
E
for m in core bank web; do put $m/pom.xml <<E
<project><modelVersion>4.0.0</modelVersion><parent><groupId>com.example</groupId><artifactId>ledger</artifactId><version>1.0</version></parent><artifactId>$m</artifactId></project>
E
put $m/src/test/java/l/ErrorTest.java <<'E'
package l;
import org.junit.*;
public class ErrorTest { @Test public void logs() { for (int i = 0; i < 80; i++) System.out.println("ERROR [main] could not reach bank " + i + ", java.net.ConnectException: refused"); } }
E
done
put bank/src/test/java/l/InterestTest.java <<'E'
package l;
import org.junit.*;
public class InterestTest { @Test public void rounds() { Assert.assertEquals(12.35, Math.floor(12.345 * 100) / 100, 0.0001); } }
E
run <<'END'
mvn -B -V verify
END

new pipe-make-keep-going make
[ -n "$SKIP" ] || for i in $(seq 1 250); do printf '#include <stdio.h>\nint error_%d(unsigned n) { int i; for (i = 0; i < n; i++) puts("failed"); return 0; }\n' $i > e$i.c; done
put e97.c <<'E'
#include <stdio.h>
int error_97(unsigned n) { FILE *f = fopen("x", "r") return n; }
E
put Makefile <<'E'
CFLAGS = -Wall -Wextra
all: $(patsubst %.c,%.o,$(wildcard e*.c))
E
run <<'END'
nproc
make -k -j4 all
END

new pipe-npm6 jest
pkg '    "build": "echo compiled with 0 errors",\n    "test": "jest --colors"'; mods jest_29; mkdir src
printf "const add = (a, b) => a + b\ntest('adds cents', () => { expect(add(0.1, 0.2)).toBe(0.3) })\n" > src/add.test.js
for i in 1 2 3 4 5; do printf "test('error $i', () => { console.error('Error: connect ECONNREFUSED 127.0.0.1:543$i'); expect(1).toBe(1) })\n" > src/e$i.test.js; done
PATH=$CACHE/npm6/node_modules/.bin:$old
run <<'END'
npm --version
npm run build
npm test
END
PATH=$old

new pipe-django-test python
PRE='PATH=/tmp/c/venv/bin:$PATH; django-admin startproject shop . && python manage.py startapp cart && cp t.py cart/tests.py && rm t.py'
put t.py <<'E'
from django.test import TestCase
class CartTest(TestCase):
    def test_cart(self):
        r = self.client.get('/cart/')
        self.assertEqual(r.status_code, 200)
    def test_admin(self):
        self.assertEqual(self.client.get('/admin/login/').status_code, 200)
E
export PATH=/tmp/c/venv/bin:$old
run <<'END'
python manage.py check
python manage.py migrate -v 3
python manage.py test -v 2
END
PRE= ; export PATH=$old

new ok-pipe-node jest
pkg '    "lint": "echo \\"0 errors, 31 warnings\\"",\n    "test": "jest --coverage"'; mods jest_29; mkdir src
for i in $(seq 1 60); do printf "exports.fail$i = (e) => { if (!e) throw new Error('failed $i'); return e }\n" > src/f$i.js; printf "const { fail$i } = require('./f$i')\ntest('fails without error', () => { console.error('UnhandledPromiseRejectionWarning: Error: failed'); expect(() => fail$i()).toThrow('failed') })\n" > src/f$i.test.js; done
run <<'END'
npm run lint
npm test
npm audit || echo "audit failed, which is allowed"
END

new ok-timestamps sh
put deploy.sh <<'E'
for i in $(seq 1 400); do
  case $((i % 9)) in
    0) echo "2026-11-22T10:00:$((i%60)).120Z ERROR [worker-3] job $i failed: java.lang.IllegalStateException: not ready (attempt 1/3)";;
    1) echo "2026-11-22T10:00:$((i%60)).240Z WARN  [worker-3] retrying job $((i-1))";;
    2) echo "2026-11-22T10:00:$((i%60)).300Z INFO  [worker-3] job $((i-2)) succeeded after retry";;
    *) echo "2026-11-22T10:00:$((i%60)).400Z DEBUG [worker-1] fatal=false errors=0 panic=none";;
  esac
done
echo "deployed; 44 errors were recovered"
E
run <<'END'
bash deploy.sh
END

new ok-pipe-go go
put go.mod <<'E'
module example.com/ok

go 1.22
E
[ -n "$SKIP" ] || for i in $(seq 1 30); do mkdir -p p$i; printf 'package p%d\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nfunc TestPanics(t *testing.T) {\n\tdefer func() { fmt.Println("recovered:", recover()) }()\n\tpanic("fatal error: all goroutines are asleep - deadlock!")\n}\n\nfunc TestLog(t *testing.T) {\n\tfor i := 0; i < 20; i++ {\n\t\tt.Logf("p_test.go:12: got %%d, want %%d (logged only)", i, i+1)\n\t}\n}\n' $i > p$i/p_test.go; done
run <<'END'
go vet ./...
go test -v -cover ./...
END

if [ -n "${SEALED:-}" ]; then
OUT=$here/../sealed

new pipe-concurrently tsc
pkg '    "ci": "concurrently -n lint,types,unit \\"npm:lint\\" \\"npm:types\\" \\"npm:unit\\"",\n    "lint": "node -e \\"for (let i = 0; i < 120; i++) console.log(String(i) + \\\\\\" warning  error is defined but never used\\\\\\")\\"",\n    "types": "sleep 1; tsc -p .",\n    "unit": "node --test test/"'; mods conc; [ -n "$SKIP" ] || { cp -al $CACHE/typescript_5_6_3/node_modules/typescript node_modules/typescript; ln -sf ../typescript/bin/tsc node_modules/.bin/tsc; }
mkdir -p src test; printf "export const sum = (a: number[]): number => a.reduce((x, y) => x + y)\nexport const avg = (a: number[]) => sum(a) / a.lenght\n" > src/m.ts; echo '{"compilerOptions":{"strict":true,"noEmit":true,"types":[]},"include":["src"]}' > tsconfig.json
printf "const { test } = require('node:test')\nfor (let i = 0; i < 60; i++) test('error ' + i, async () => { console.error('Error: expected ' + i); await new Promise((r) => setTimeout(r, 30)) })\n" > test/a.test.js
run <<'END'
npm run ci
END

new pipe-parallel sh
mkdir jobs; for i in $(seq 1 40); do printf 'for k in 1 2 3 4 5 6 7 8; do echo "[job %s] step $k: 0 errors"; sleep 0.02; done\n' $i > jobs/j$i.sh; done
printf 'for k in 1 2 3; do echo "[job 23] step $k: 0 errors"; sleep 0.02; done\ngrep -q "schema_version: 7" schema.yml || { echo "[job 23] schema.yml says $(cat schema.yml), the code needs schema_version: 7" >&2; exit 9; }\n' > jobs/j23.sh; echo 'schema_version: 6' > schema.yml
run <<'END'
ls jobs | wc -l
ls jobs/*.sh | xargs -P 6 -I{} sh {}
END

new okx-timestamps pytest
put test_tax.py <<'E'
import pytest
@pytest.mark.parametrize('n', range(200))
def test_error(n): assert n >= 0
def test_tax(): assert round(2.675 * 100) / 100 == 2.68
E
put run.sh <<'E'
set -o pipefail
pytest -v 2>&1 | while IFS= read -r l; do printf '[%s] %s\n' "$(date +%H:%M:%S)" "$l"; done
E
export PATH=/tmp/c/venv/bin:$old
run <<'END'
bash run.sh
END
export PATH=$old

new pipe-webserver playwright
mods _playwright_test; mkdir e2e; printf "import { defineConfig } from '@playwright/test'\nexport default defineConfig({ testDir: 'e2e', reporter: 'list', webServer: { command: 'node server.js', url: 'http://127.0.0.1:18999', timeout: 8000, stdout: 'pipe' } })\n" > playwright.config.ts
printf "console.log('reading config'); const port = JSON.parse(require('fs').readFileSync('conf.json', 'utf8')).port\nrequire('http').createServer((q, r) => r.end('ok')).listen(port)\n" > server.js; echo '{"port": 18999,}' > conf.json
printf "import { test } from '@playwright/test'\ntest('a', () => {})\n" > e2e/a.spec.ts
run <<'END'
npx playwright --version
npx playwright test
END

new pipe-tsx node
mods conc; mkdir src; printf "interface Row { id: number; when: string | null }\nconst rows: Row[] = Array.from({ length: 80 }, (_, i) => ({ id: i, when: i === 61 ? null : '2026-01-01' }))\nfor (const r of rows) { console.log('exported row', r.id, 'errors: 0', r.when!.slice(0, 4)) }\n" > src/export.ts
run <<'END'
npx tsx src/export.ts
END

new pipe-cargo cargo
[ -n "$SKIP" ] || { cargo init -q --lib --vcs none --name ledger2 . >/dev/null 2>&1; { for i in $(seq 1 90); do echo "pub fn error_$i(failed: u32) -> u32 { let unused = 1; failed }"; done; echo '#[cfg(test)] mod tests { use super::*;'; for i in $(seq 1 90); do echo "#[test] fn t$i() { assert_eq!(error_$i(1), 1) }"; done; echo '#[test] fn zero_is_free() { let fee = 100u32.checked_div(0); assert!(fee.is_some(), "fee of {} is undefined", 0); } }'; } > src/lib.rs; }
run <<'END'
cargo build
cargo clippy
cargo test
cargo doc
END

new pipe-cmake-ctest ctest
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.20)
project(ledger CXX)
enable_testing()
add_compile_options(-Wall -Wextra)
foreach(i RANGE 1 60)
  add_executable(t${i} t${i}.cpp)
  add_test(NAME unit_${i} COMMAND t${i})
endforeach()
E
[ -n "$SKIP" ] || for i in $(seq 1 60); do printf '#include <cstdio>\nint main(int c, char **v) { int error; std::printf("error handler %d: ok\\n"); return 0; }\n' $i > t$i.cpp; done
put t44.cpp <<'E'
#include <stdexcept>
#include <string>
int main() { std::string s = "12x"; std::size_t n = 0; int v = std::stoi(s, &n); if (n != s.size()) throw std::invalid_argument("amount '12x' has trailing characters"); return v; }
E
run <<'END'
cmake -B build
cmake --build build -j2
ctest --test-dir build --output-on-failure -j2
END

new pipe-jest-worker-oom jest
pkg '    "test": "jest --workerIdleMemoryLimit=1 -w 2"'; mods jest_29; mkdir src
printf "test('loads the archive', () => { process.kill(process.pid, 'SIGKILL') })\n" > src/archive.test.js
for i in 1 2 3 4 5 6; do printf "test('error $i', () => { console.error('Warning: failed prop type'); })\n" > src/e$i.test.js; done
run <<'END'
npm test
END

new pipe-npm6-tsc tsc
pkg '    "build": "tsc -p . --listFiles"'; mods typescript_5_6_3; mkdir src; for i in $(seq 1 200); do echo "export class HttpError$i extends Error {}" > src/error$i.ts; done; printf "import { HttpError9 } from './error10'\nexport const e = new HttpError9()\n" > src/index.ts; echo '{"compilerOptions":{"strict":true,"noEmit":true,"types":[]},"include":["src"]}' > tsconfig.json
PATH=$CACHE/npm6/node_modules/.bin:$old
run <<'END'
npm --version
npm run build
npm test
END
PATH=$old

new pipe-retry-finally-fails sh
put upload.sh <<'E'
up() { curl -sS -m 2 -o /dev/null -w '%{http_code}' "http://127.0.0.1:9/$1" 2>/dev/null || true; }
for f in $(seq 1 60); do echo "uploading part $f of 60: ok (0 errors)"; done
for n in 1 2 3 4 5; do
  echo "WARN upload of manifest failed with 503, retrying in 0s ($n/5)"; up manifest >/dev/null
done
echo "giving up: manifest.json was not accepted: digest sha256:9f2b does not match the uploaded layers" >&2
exit 75
E
run <<'END'
sh upload.sh
echo "published"
END

new pipe-ansible-many ansible
[ -n "$SKIP" ] || { printf -- '- hosts: localhost\n  connection: local\n  gather_facts: false\n  tasks:\n'; for i in $(seq 1 60); do printf '    - name: Check for error %s\n      command: /bin/true\n      changed_when: false\n' $i; done; printf '    - name: Verify the certificate\n      command: openssl x509 -in /etc/ssl/planner.pem -noout\n    - name: Done\n      debug: { msg: ok }\n'; } > site.yml
run <<'END'
ansible --version
ansible-playbook -v -i localhost, site.yml
END

new okx-pipe-python pytest
put tests/test_w.py <<'E'
import warnings, pytest, logging
@pytest.mark.parametrize('n', range(400))
def test_failed(n, caplog):
    warnings.warn(f'error {n}: FAILED fallback', UserWarning)
    logging.getLogger('x').critical('fatal: worker %d died', n)
@pytest.mark.xfail(strict=True)
def test_bug(): raise AssertionError('assert 1 == 2')
E
export PATH=/tmp/c/venv/bin:$old
run <<'END'
python -m pip check || true
pytest -v -rx -W default -o log_cli=true
END
export PATH=$old

new okx-make-ignored make
put Makefile <<'E'
all: a b c
a:
	-cat /nonexistent/error.log
b:
	@ls /nope 2>/dev/null || echo "nothing to clean: error ignored"
c:
	-@python3 -c "raise RuntimeError('failed')"
	@for i in $$(seq 1 120); do echo "check $$i: no failures, 0 errors"; done
.IGNORE: d
d:
	false
all: d
E
run <<'END'
make -k all
END

new okx-tsan-clean ctest
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.20)
project(ok C)
enable_testing()
add_executable(t t.c)
foreach(i RANGE 1 200)
  add_test(NAME failure_case_${i} COMMAND t ${i})
endforeach()
add_test(NAME must_fail COMMAND false)
set_tests_properties(must_fail PROPERTIES WILL_FAIL TRUE)
E
put t.c <<'E'
#include <stdio.h>
int main(int c, char **v) { fprintf(stderr, "ERROR: simulated failure %s\nt.c:3: Assertion `x' failed.\nSegmentation fault\n", v[1]); return 0; }
E
run <<'END'
cmake -S . -B build
cmake --build build
cd build
ctest -V
END
fi
