. "$(dirname "$0")/lib.sh"

new okq-jest-error-boundary jest
pkg '"test":"jest --ci"' '"jest":"^29.7.0"'
put parse.js <<'E'
class ParseError extends Error {}
exports.ParseError = ParseError;
exports.parse = (s) => { try { return JSON.parse(s); } catch (e) { console.error(new ParseError('not JSON: ' + s)); return null; } };
E
put parse.test.js <<'E'
const { parse } = require('./parse');
describe('errors', () => {
  it('fails softly on broken input', () => expect(parse('{')).toBeNull());
  it('throws nothing for "Error: x"', () => expect(parse('"Error: x"')).toBe('Error: x'));
  test.failing('dates are not parsed yet', () => expect(parse('"2020-01-01"')).toBeInstanceOf(Date));
});
E
run <<'E'
npm ci
npm test
npx jest --version
E

new okq-pytest-xfail-logs pytest
put test_jobs.py <<'E'
import logging, sys, traceback, pytest
log = logging.getLogger("jobs")
def run(job):
    try: job()
    except Exception: log.exception("job failed, will be retried"); return "retry"
    return "done"
def test_failing_job_is_retried(): assert run(lambda: 1 / 0) == "retry"
def test_error_log(caplog): run(lambda: int("x")); assert "ValueError" in caplog.text
@pytest.mark.xfail(reason="bug 812: error code 5 is lost")
def test_error_code(): assert run(lambda: sys.exit) == 5
@pytest.mark.skip(reason="Error: no printer")
def test_printer(): pass
E
run <<'E'
python -m compileall -q .
/opt/pt/bin/pytest -ra -o log_cli=true test_jobs.py
E

new okq-make-keep-tolerant make
put Makefile <<'E'
all: error.o check optional
error.o: error.c
	$(CC) -Wall -Werror=implicit -c error.c
check:
	-test -f /nonexistent/error.log
	@grep -n "FATAL" error.c || echo "no FATAL in error.c"
optional:
	@$(MAKE) --no-print-directory docs || echo "docs skipped (doxygen missing)"
docs:
	doxygen-not-here Doxyfile
E
put error.c <<'E'
#include <errno.h>
int error_count(void) { int unused; return errno; }
E
run <<'E'
make
make -n docs
E

new okq-go-recovered go
put go.mod <<'E'
module example.com/guard

go 1.22
E
put guard.go <<'E'
package guard

import (
	"fmt"
	"os"
	"runtime/debug"
)

func Guard(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(os.Stderr, "panic: %v\n%s", r, debug.Stack())
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	f()
	return nil
}
E
put guard_test.go <<'E'
package guard

import "testing"

func TestPanic(t *testing.T) {
	if err := Guard(func() { var m map[string]int; m["a"] = 1 }); err == nil {
		t.Fatal("no error")
	}
}
func TestFailureText(t *testing.T) { t.Log("--- FAIL: this is only a log line"); t.Skip("error: no network") }
E
run <<'E'
go vet ./...
go test -v -count=1 ./...
E

new okq-shell-tolerated-steps shell
put ci.sh <<'E'
set -eu
rm build.lock 2>/dev/null || true
docker volume inspect no-such-volume || echo "volume not there yet, fine"
for i in 1 2 3; do
  if curl -sS --max-time 1 http://127.0.0.1:${i}9/ping; then break; fi
  echo "attempt $i failed"
done
echo "no mirror, building from source"
sqlite3 app.db 'create table t(x)'
sqlite3 app.db 'create table t(x)' || echo "table exists already"
git -C /tmp/exam/w-open rev-parse HEAD || echo unknown > VERSION
ls /does/not/exist && exit 1
echo "0 errors"
E
run <<'E'
sh ci.sh
cat VERSION
E

new okq-java-logged-traces java
put Job.java <<'E'
import java.util.logging.*;
public class Job {
  static final Logger LOG = Logger.getLogger("job");
  static int attempt = 0;
  static void fetch() { if (++attempt < 3) throw new IllegalStateException("connection reset"); }
  public static void main(String[] a) throws Exception {
    while (true) {
      try { fetch(); break; } catch (IllegalStateException e) { LOG.log(Level.SEVERE, "Error while fetching, attempt " + attempt, e); }
    }
    Thread t = new Thread(() -> { throw new RuntimeException("worker gave up (tolerated)"); }, "worker");
    t.start(); t.join();
    System.out.println("BUILD OK, errors: 0");
  }
}
E
run <<'E'
javac -Xlint Job.java
java -Djava.util.logging.SimpleFormatter.format='%1$tT %4$s %5$s%6$s%n' Job
E
