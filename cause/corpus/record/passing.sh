#!/usr/bin/env bash
. "$(dirname "$0")/lib.sh"
: "${CACHE:=/tmp/c/cache}"
mods() { [ -n "$SKIP" ] || cp -al "$CACHE/$1/node_modules" node_modules; }
pkg() { printf '{\n  "name": "shop",\n  "version": "1.4.0",\n  "private": true,\n  "scripts": {\n%b\n  }%b\n}\n' "$1" "${2:-}" > package.json; }

new ok-make-warnings make
mkdir src; for i in $(seq 1 40); do printf '#include <stdio.h>\n#include <stdlib.h>\nstatic int failed(void) { return 1; }\nint error_%d(unsigned n, char *error) { int i, fatal; for (i = 0; i < n; i++) fatal = i; return 0; }\n' $i > src/error_$i.c; done; echo 'int main(void){return 0;}' > src/main.c
cat > Makefile <<'E'
CFLAGS = -Wall -Wextra -O1 -Wno-error
app: $(patsubst %.c,%.o,$(wildcard src/*.c))
	$(CC) -o $@ $^
clean:
	-rm src/*.gone
	-false
E
run <<'END'
make clean
make
./app
END

new ok-vitest-stderr vitest
pkg '    "test": "vitest run --reporter=verbose"'; mkdir src; mods vitest
for i in $(seq 1 20); do printf "import { expect, it } from 'vitest'\nfor (let i = 0; i < 15; i++) it('fails with error $i.' + i, () => { console.error(new Error('AssertionError: expected 1 to be 2')); expect(() => { throw new TypeError('failed') }).toThrow('failed') })\n" > src/error$i.test.ts; done
run <<'END'
npm test
END

new ok-jest-console jest
pkg '    "test": "jest"'; mkdir src; mods jest_29
for i in $(seq 1 12); do printf "test('FAIL handling $i', () => { console.error(new Error('Request failed with status code 50$((i%10))')); expect(1).toBe(1) })\n" > src/fail$i.test.js; done
run <<'END'
npm test -- --ci
END

new ok-go-verbose go
cat > go.mod <<'E'
module example.com/worker

go 1.22
E
cat > q_test.go <<'E'
package q

import (
	"errors"
	"fmt"
	"log"
	"testing"
)

func TestFailures(t *testing.T) {
	for i := 0; i < 200; i++ {
		t.Run(fmt.Sprintf("error-%d", i), func(t *testing.T) {
			log.Printf("ERROR job %d failed: %v", i, errors.New("panic: connection refused"))
			t.Logf("expected failure, got error %d", i)
		})
	}
}

func TestPanics(t *testing.T) {
	defer func() { fmt.Println("panic:", recover()) }()
	panic("runtime error: index out of range [3] with length 3")
}

func TestSkipped(t *testing.T) { t.Skip("FAIL on Windows, see issue 12") }
E
run <<'END'
go vet ./...
go test -v ./...
END

new ok-cargo-should-panic cargo
cargo init -q --lib --name ledger . >/dev/null 2>&1; cat > src/lib.rs <<'E'
pub fn pay(n: i64) -> i64 { if n < 0 { panic!("error: negative amount {n}") } n }
fn unused_error_path() -> Result<(), String> { let failed = 3; Err("failed".into()) }
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    #[should_panic(expected = "negative")]
    fn rejects_error() { pay(-1); }
    #[test]
    #[should_panic]
    fn assertion_failed() { assert_eq!(1, 2, "left and right differ"); }
    #[test]
    fn logs() { for i in 0..100 { eprintln!("error: attempt {i} failed"); } assert_eq!(pay(1), 1); }
    #[test]
    #[ignore = "fails on CI"]
    fn broken() { panic!() }
}
E
run <<'END'
cargo --version
cargo test -- --nocapture --test-threads=1
END

new ok-pytest-warnings pytest
cat > test_api.py <<'E'
import logging, warnings, pytest
log = logging.getLogger('api')
@pytest.mark.parametrize('code', range(400, 520))
def test_error(code):
    log.error('Request failed: %s', code)
    warnings.warn(f'error {code} is deprecated', DeprecationWarning)
    with pytest.raises(RuntimeError, match='failed'):
        raise RuntimeError('failed with %s' % code)
@pytest.mark.xfail(reason='assert 1 == 2 fails, issue 14')
def test_known_failure(): assert 1 == 2
@pytest.mark.skip(reason='ERROR: needs a database')
def test_db(): pass
E
run <<'END'
/tmp/c/venv/bin/pytest -v -rA --color=yes -o log_cli=true
END

new ok-pip-resolver pip
run <<'END'
python3 -m venv /tmp/ve
/tmp/ve/bin/pip install requests==2.31.0 urllib3==1.26.18
/tmp/ve/bin/pip install urllib3==2.6.0 chardet==2.3.0
/tmp/ve/bin/pip install --no-deps requests==2.20.0
END

new ok-sh-retries sh
cat > fetch.sh <<'E'
#!/bin/bash
try() { for n in 1 2 3; do
  if [ $n -lt 3 ]; then echo "ERROR: could not reach mirror-$n.example.com, retrying in ${n}s (attempt $n failed)" >&2; else echo "fetched $1 from mirror-3.example.com"; return 0; fi; done; }
for p in zlib openssl curl expat pcre libxml2 sqlite readline ncurses; do try $p; done
cat /nonexistent/config || echo "no config, taking defaults"
python3 -c 'import nonexistent_module' || true
git rev-parse HEAD || true
E
run <<'END'
bash fetch.sh
grep -c error fetch.sh || true
rm /nonexistent/lock 2>&1 || true
curl -fsS http://127.0.0.1:9/ || echo "cache is not there: building from scratch"
echo "done, 0 errors"
END

new ok-eslint-warnings eslint
mkdir src; mods eslint__eslint_js_typescript_eslint_typescript_5_9; mv node_modules /tmp/corpus-nm-$$ 2>/dev/null; rm -rf node_modules; [ -n "$SKIP" ] || mv /tmp/corpus-nm-$$ node_modules
cat > eslint.config.mjs <<'E'
import js from '@eslint/js'
export default [{ ...js.configs.recommended, rules: { 'no-unused-vars': 'warn', 'no-undef': 'warn', 'no-empty': 'warn' } }]
E
for i in $(seq 1 25); do printf "function error$i(err) { try { failed() } catch (e) { } }\n" > src/error$i.js; done
run <<'END'
npx eslint --version
npx eslint src
END

new ok-cmake-checks cmake
cat > CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.5)
project(shop C)
include(CheckIncludeFile)
include(CheckFunctionExists)
include(CheckCSourceCompiles)
foreach(h sys/error.h errno.h sys/failed.h windows.h unistd.h fatal.h)
  string(MAKE_C_IDENTIFIER HAVE_${h} v)
  check_include_file(${h} ${v})
endforeach()
foreach(f strerror strlcpy_error perror fatal_error)
  check_function_exists(${f} HAVE_${f})
endforeach()
check_c_source_compiles("#error no\nint main(){return 0;}" HAVE_NO_ERROR)
message(WARNING "libfoo was not found: error pages will be plain")
message(DEPRECATION "the option FAIL_FAST is deprecated")
add_executable(errors e.c)
E
printf '#warning this is an error page\nint main(int c, char **v) { int failed; return 0; }\n' > e.c
run <<'END'
cmake -S . -B build
cmake --build build
END

new ok-node-tap node:test
mkdir test; cat > test/a.test.js <<'E'
const { test } = require('node:test'); const assert = require('node:assert')
for (let i = 0; i < 300; i++) test('not ok is printed for error ' + i, (t) => { t.diagnostic('AssertionError: 1 !== 2 was expected'); assert.throws(() => { throw new Error('failed ' + i) }, /failed/) })
test('known bug', { todo: 'fails' }, () => assert.equal(1, 2))
E
run <<'END'
node --test --test-reporter tap
END

new ok-npm-deprecated npm
pkg '    "postinstall": "echo Error: cannot open display, using the fallback >&2",\n    "test": "echo 0 failed"' ', "dependencies": {"request": "^2.88.2", "rimraf": "^2.7.1", "glob": "^7.2.0", "uuid": "^3.4.0", "har-validator": "^5.1.5", "error-ex": "^1.3.2"}'
run <<'END'
npm install --foreground-scripts --loglevel verbose
npm test
END

new ok-python-logging unittest
cat > test_jobs.py <<'E'
import logging, unittest
logging.basicConfig(level=logging.DEBUG, format='%(asctime)s %(levelname)s %(name)s: %(message)s')
log = logging.getLogger('jobs')
class Jobs(unittest.TestCase):
    def test_failed_job_is_retried(self):
        for i in range(60):
            try:
                raise ConnectionError(f'job {i} failed: connection refused')
            except ConnectionError:
                log.exception('job %d failed, will retry', i)
    @unittest.expectedFailure
    def test_known(self): self.assertEqual(1, 2)
    def test_assertion(self):
        with self.assertRaises(AssertionError): self.assertEqual(1, 2)
E
run <<'END'
python3 -m unittest -v
END

new ok-flake8-exit-zero flake8
for i in $(seq 1 10); do printf "import os, sys\ndef error_$i( x ):\n    failed = 1\n    raise ValueError( 'error' )\n" > m$i.py; done
run <<'END'
/tmp/c/venv/bin/flake8 --exit-zero --statistics .
/tmp/c/venv/bin/ruff check --exit-zero .
END
