PART=sealed; . "$(dirname "$0")/lib.sh"

new okw-vitest-expected-failures vitest
mods vitest3
put package.json <<'E'
{"name":"okw","type":"module","scripts":{"test":"vitest run --reporter=verbose --retry=2"}}
E
put retry.test.js <<'E'
import { expect, it } from 'vitest';
let n = 0;
it('recovers from a network error', () => { if (n++ < 1) throw new Error('ECONNRESET'); expect(n).toBe(2); });
it.fails('known bug: error codes are lost', () => expect({ code: 5 }).toEqual({}));
it('throws TypeError on bad input', () => { console.error(new TypeError('Cannot read properties of undefined (reading "id")').stack.split('\n')[0]); expect(() => undefined.id).toThrow(TypeError); });
it.skip('fails on Windows', () => {});
E
run <<'E'
npm test
E

new okw-node-uncaught-handled node
put serve.js <<'E'
process.on('uncaughtException', (e) => console.error('uncaughtException (handled):', e.stack.split('\n').slice(0, 2).join('\n')));
process.on('unhandledRejection', (e) => console.error('unhandledRejection (handled):', e.message));
setTimeout(() => { throw new Error('plugin crashed'); }, 10);
setTimeout(() => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:9')), 20);
setTimeout(() => { console.log('0 fatal errors, exiting'); process.exit(0); }, 80);
E
run <<'E'
node --trace-warnings serve.js
node -e "try { JSON.parse('{') } catch (e) { console.error(e) }"
node -e "require('assert').throws(() => { throw new Error('boom') }); console.log('ok')"
E

new okw-eslint-tsc-warnings eslint
mods eslint9
put package.json <<'E'
{"name":"okw2","type":"module","scripts":{"lint":"eslint . || [ $? -eq 1 ]","prepare":"node -e \"console.error('prepare: ERR could not install hooks (ignored)')\""}}
E
put eslint.config.js <<'E'
import js from '@eslint/js';
export default [js.configs.recommended];
E
put a.js <<'E'
export const x = undefinedThing;
const error = 1;
E
run <<'E'
npm run lint
npm run prepare
E

new okw-pytest-errors-in-names pytest
put tests/test_errors.py <<'E'
import logging, subprocess, sys, warnings, pytest
@pytest.mark.parametrize("code", ["ERROR", "FAILED", "E0308", "fatal: not a repository", "Traceback (most recent call last):"])
def test_error_text(code, capsys):
    print(f"E       AssertionError: {code}")
    assert code
def test_subprocess_fails():
    r = subprocess.run([sys.executable, "-c", "raise SystemExit('fatal: wrong')"], text=True)
    assert r.returncode == 1
def test_warns(): warnings.warn("this will be an error in 4.0", DeprecationWarning)
@pytest.mark.xfail(raises=ZeroDivisionError, strict=True)
def test_division(): 1 / 0
E
run <<'E'
/opt/pt/bin/pytest -v -s
/opt/pt/bin/pytest -q --collect-only
E

new okw-python-retries-logs python
put job.py <<'E'
import logging, socket, sys
logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
for i in range(3):
    try: socket.create_connection(("127.0.0.1", 9), 1)
    except OSError: logging.exception("attempt %d failed", i + 1)
logging.warning("no exporter, metrics are dropped")
try: {}["key"]
except KeyError as e: logging.error("KeyError: %s, using the default", e)
print("job finished: 0 failed, 12 done", file=sys.stderr)
E
run <<'E'
python3 job.py
python3 -X dev -c "import asyncio; asyncio.run(asyncio.sleep(0)); print('done')"
pip --version || true
pip download --no-deps --no-binary :all: -q not-a-real-wheel==99 --no-index || echo "mirror has no such package, skipped"
E

new okw-go-fuzz-error-logs go
put go.mod <<'E'
module example.com/okw

go 1.22
E
put a_test.go <<'E'
package okw

import (
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"testing"
)

func TestMain(m *testing.M) {
	log.Println("ERROR: no config file, using defaults")
	os.Exit(m.Run())
}
func TestExit(t *testing.T) {
	out, err := exec.Command("sh", "-c", "echo panic: oh no; exit 3").CombinedOutput()
	t.Logf("%s%v", out, err)
}
func TestWrap(t *testing.T) {
	err := fmt.Errorf("load: %w", errors.New("FAIL: disk"))
	fmt.Println("error:", err)
}
func Example() {
	fmt.Println("undefined: x")
	// Output: undefined: x
}
E
run <<'E'
go vet ./... || echo "vet has findings (not required)"
go test -v ./...
E

new okw-cargo-panics-caught cargo
put Cargo.toml <<'E'
[package]
name = "okw"
version = "0.1.0"
edition = "2021"
E
put src/lib.rs <<'E'
pub fn risky(n: i32) -> i32 { if n > 3 { panic!("index out of bounds: {n}") } n }
fn never() -> Result<(), String> { Err("error".into()) }
#[cfg(test)]
mod tests {
    use super::*;
    #[test] fn catches() { assert!(std::panic::catch_unwind(|| risky(9)).is_err()); }
    #[test] #[should_panic(expected = "out of bounds")] fn panics() { risky(4); }
    #[test] fn error_is_ok() { assert_eq!(never().unwrap_err(), "error"); }
    #[test] #[ignore = "fails on CI: error 5"] fn later() { panic!() }
}
E
run <<'E'
cargo build
cargo test -- --nocapture --test-threads=1
E

new okw-cmake-try-compile cmake
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.16)
project(okw C)
include(CheckIncludeFile)
include(CheckFunctionExists)
check_include_file(no_such_error.h HAVE_ERR)
check_function_exists(no_such_function HAVE_FN)
find_package(DefinitelyMissing QUIET)
message(WARNING "Error reporting is disabled")
add_executable(okw main.c)
enable_testing()
add_test(NAME fails_as_expected COMMAND okw fail)
set_tests_properties(fails_as_expected PROPERTIES WILL_FAIL TRUE)
add_test(NAME prints COMMAND okw)
E
put main.c <<'E'
#include <stdio.h>
int main(int argc, char **argv) { int unused; fprintf(stderr, "error: %d arguments\nSegmentation fault (simulated)\n", argc); return argc > 1; }
E
run <<'E'
cmake -B build
cmake --build build -- CFLAGS=-Wall
ctest --test-dir build -V
E

new okw-make-error-targets make
put Makefile <<'E'
all: errors.o fail-fast test
errors.o: errors.c
	$(CC) -Wall -Wextra -c $<
fail-fast:
	-@false
	-rm nonexistent.file
	@! grep -q TODO errors.c
test:
	@echo "FAIL: 0"; echo "ERROR: 0"; echo "XFAIL: 3"; echo "# TOTAL: 12"
E
put errors.c <<'E'
int error(int unused) { int x; return x = 3; }
E
run <<'E'
make
make -q all || echo "not up to date"
E

new okw-mvn-logged-exceptions maven
put pom.xml <<'E'
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>com.example</groupId><artifactId>okw</artifactId><version>1.0</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin></plugins></build></project>
E
put src/test/java/o/ErrorTest.java <<'E'
package o;
import static org.junit.Assert.*;
import java.util.logging.*;
import org.junit.*;
public class ErrorTest {
  @Test public void logs() { Logger.getLogger("o").log(Level.SEVERE, "[ERROR] cannot find symbol", new RuntimeException("BUILD FAILURE (simulated)")); }
  @Test(expected = NullPointerException.class) public void npe() { String s = null; s.length(); }
  @Ignore("java.lang.AssertionError on Windows") @Test public void ignored() { fail(); }
}
E
run <<'E'
mvn -B -ntp test
E

new okw-git-conflict-resolved git
put a.txt <<'E'
one
E
commit
[ -n "$SKIP" ] || { git checkout -q -b other; echo two > a.txt; git commit -qam two; git checkout -q main; echo three > a.txt; git commit -qam three; }
run <<'E'
git merge other || git checkout --ours a.txt
git add a.txt
git commit -qm 'Merge other, keep ours'
git push origin main 2>&1 || echo 'no remote in this job'
git rev-parse --verify v1.0 2>&1 || echo 'no tag yet'
git log --oneline -1
E

new okw-docker-build-warnings docker
[ -n "$SKIP" ] || cp /bin/busybox .
put Dockerfile <<'E'
FROM scratch
COPY busybox /bin/busybox
RUN ["/bin/busybox", "--install", "-s", "/bin"]
RUN ls /missing || echo "optional directory missing"
RUN echo "npm error code E404 (from a log we ship)" > /errors.txt && cat /errors.txt
RUN sh -c 'exit 7' || true
E
run <<'E'
docker rmi okw:none || true
docker build --no-cache -t okw .
docker run --rm --network none okw sh -c 'echo "ERROR: worker exited with 1 (restarted)"; exit 0'
E

new okw-psql-notices psql
put up.sql <<'E'
drop table if exists errors cascade;
create table errors (id int primary key, message text);
insert into errors values (1, 'FATAL: password authentication failed'), (2, 'ERROR: deadlock detected');
do $$ begin insert into errors values (1, 'again'); exception when unique_violation then raise warning 'duplicate key value violates unique constraint (handled)'; end $$;
select * from errors;
E
run <<'E'
export PGHOST=127.0.0.1 PGPORT=54329 PGUSER=postgres
psql -d okw_missing -c 'select 1' || psql -d postgres -qc 'drop database if exists okw' -c 'create database okw'
psql -v ON_ERROR_STOP=1 -d okw -f up.sql
E

new okw-gradle-warnings gradle
put settings.gradle <<'E'
rootProject.name = 'okw'
E
put build.gradle <<'E'
apply plugin: 'java'
task flaky(type: Exec) { commandLine 'sh', '-c', 'echo "error: cannot find symbol (from the old log)" >&2; exit 1'; ignoreExitValue true }
build.dependsOn flaky
E
put src/main/java/o/Errors.java <<'E'
package o;
import java.util.*;
public class Errors { List raw = new ArrayList(); void add() { raw.add("error"); } @Deprecated void old() {} }
E
run <<'E'
gradle --no-daemon --console=plain build
E

new okw-shell-long-deploy shell
put deploy.sh <<'E'
set -eu
retry() { for i in 1 2 3; do "$@" && return 0; echo "attempt $i failed: $*"; done; return 1; }
n=0; probe() { n=$((n+1)); [ $n -ge 3 ] || { echo "curl: (22) The requested URL returned error: 503" >&2; return 22; }; }
retry probe
for s in $(seq 1 120); do echo "$(printf %03d $s) host-$((s % 9)): uploaded errors-$s.html (0 failed)"; done
ssh -o BatchMode=yes -o ConnectTimeout=1 -p 9 deploy@127.0.0.1 true || echo "WARN: canary not reachable, continuing without"
command -v notify-team || echo "notify-team: not found, nobody is told"
echo "deploy finished with 0 errors"
E
run <<'E'
sh deploy.sh
E

new okw-jest-noisy-cleanup jest
mods jest29
put package.json <<'E'
{"name":"okw","scripts":{"test":"jest --verbose","posttest":"node -e \"console.error('npm ERR! not really, only text')\""}}
E
put a.test.js <<'E'
afterAll(() => console.error('Error: teardown: container already gone (ignored)'));
test('rejects', async () => { await expect(Promise.reject(new Error('● boom'))).rejects.toThrow('boom'); });
test('prints FAIL', () => { process.stderr.write('FAIL src/old.test.js\n  ● old › not a real failure\n\n    expect(received).toBe(expected)\n\n    Expected: 1\n    Received: 2\n'); });
test.todo('handle error 418');
E
run <<'E'
npm test
E
