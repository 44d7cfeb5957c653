#!/usr/bin/env bash
# Long ones: much is said before or after what matters.
. "$(dirname "$0")/lib.sh"
: "${CACHE:=/tmp/c/cache}"
mods() { [ -n "$SKIP" ] || cp -al "$CACHE/$1/node_modules" node_modules; }
pkg() { printf '{\n  "name": "shop",\n  "version": "1.4.0",\n  "private": true,\n  "scripts": {\n%b\n  }%b\n}\n' "$1" "${2:-}" > package.json; }

new npm-silly-tsc tsc
pkg '    "build": "tsc -p . --traceResolution"' ', "devDependencies": {"webpack": "^5.90.0", "jest": "^29.7.0", "typescript": "5.6.3", "@types/node": "^20.0.0"}'
mkdir src; for i in $(seq 1 25); do printf "import { readFileSync } from 'node:fs'\nimport { a$((i+1)) } from './a$((i+1))'\nexport const a$i: number = readFileSync('x').length + a$((i+1))\n" > src/a$i.ts; done; echo "export const a26: number = 'none'" > src/a26.ts
echo '{"compilerOptions":{"strict":true,"noEmit":true,"types":["node"],"module":"commonjs","skipLibCheck":true},"include":["src"]}' > tsconfig.json
run <<'END'
npm install --loglevel silly
npm run build
END

new cargo-verbose-deps cargo
[ -n "$SKIP" ] || cargo init -q --bin --vcs none --name crawler . >/dev/null 2>&1
[ -n "$SKIP" ] || printf 'regex = "1"\nserde = { version = "1", features = ["derive"] }\nserde_json = "1"\nurl = "2"\n' >> Cargo.toml
[ -n "$SKIP" ] || cat > src/main.rs <<'E'
use url::Url;
fn main() { let u = Url::parse("https://example.com/error?failed=1").unwrap(); let host: String = u.host_str(); println!("{host}"); }
E
run <<'END'
cargo build --verbose --verbose
END

new maven-debug maven
mkdir -p src/main/java/shop src/test/java/shop; cat > pom.xml <<E
<project><modelVersion>4.0.0</modelVersion><groupId>com.example</groupId><artifactId>shop</artifactId><version>1.0</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin></plugins></build></project>
E
printf 'package shop;\npublic class Stock { int free = 2; public void take(int n) { free -= n; } }\n' > src/main/java/shop/Stock.java
printf 'package shop;\nimport static org.junit.Assert.*;\nimport org.junit.*;\npublic class StockTest {\n  @Test public void neverNegative() { Stock s = new Stock(); s.take(3); assertTrue("free must not be negative: " + s.free, s.free >= 0); }\n  @Test public void logs() { for (int i = 0; i < 100; i++) System.err.println("ERROR could not reach warehouse " + i); }\n}\n' > src/test/java/shop/StockTest.java
run <<'END'
mvn -B -X test
END

new pip-verbose pip
printf 'requests==2.31.0\nflask==3.0.0\njinja2==3.1.2\nwerkzeug==2.0.0\n' > requirements.txt
run <<'END'
python3 -m venv /tmp/ve3
/tmp/ve3/bin/pip install -vvv -r requirements.txt
END

new gxx-headers g++
for i in $(seq 1 8); do printf '#include <map>\n#include <regex>\n#include <string>\nint error_%d(const std::string& s) { return std::regex_match(s, std::regex("x")); }\n' $i > e$i.cpp; done
printf '#include <string>\n#include <memory>\nstruct A { explicit A(int); };\nstd::unique_ptr<A> make() { return std::make_unique<A>("5"); }\n' > make.cpp
run <<'END'
for i in 1 2 3 4; do g++ -H -c e$i.cpp; done
g++ -H -Wall -c make.cpp
END

new go-json-logs go
cat > go.mod <<'E'
module example.com/gateway

go 1.22
E
mkdir -p proxy cache; cat > proxy/p_test.go <<'E'
package proxy

import (
	"log/slog"
	"os"
	"testing"
)

func TestRetries(t *testing.T) {
	l := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	n := 0
	for i := 0; i < 4000; i++ {
		l.Error("upstream failed", "attempt", i, "err", "dial tcp 10.0.0.7:8080: connect: connection refused", "panic", false)
		if i%1000 == 999 {
			l.Warn("giving up", "after", i)
		}
		n = i
	}
	if n != 4000 {
		t.Fatalf("stopped after %d attempts, want 4000", n)
	}
}
func TestOther(t *testing.T) {
	l := slog.New(slog.NewTextHandler(os.Stderr, nil))
	for i := 0; i < 2000; i++ {
		l.Error("expected failure", "case", i, "fatal", "no")
	}
}
E
printf 'package cache\n\nimport "testing"\n\nfunc TestHit(t *testing.T) {}\n' > cache/c_test.go
run <<'END'
go test -v ./...
END

new ctest-thousand ctest
cat > CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.20)
project(shop C)
enable_testing()
add_executable(t t.c)
foreach(i RANGE 1 900)
  add_test(NAME error_case_${i} COMMAND t ${i})
endforeach()
E
cat > t.c <<'E'
#include <stdio.h>
#include <stdlib.h>
int main(int c, char **v) { int n = atoi(v[1]); printf("checking error path %d: no failure\n", n); if (n == 333) { int *p = 0; fprintf(stderr, "decode: bad magic 0x%08x in block 12\n", 0xfeed); return *p; } return 0; }
E
run <<'END'
cmake -S . -B build
cmake --build build
cd build
ctest -V -j2
END

new jest-noise-tail jest
pkg '    "test": "jest --verbose --runInBand"'; mkdir src; mods jest_29
for i in $(seq 10 49); do printf "for (let i = 0; i < 20; i++) test('case ' + i, () => { if (i %% 5 == 0) console.error('Warning: An update to Form inside a test was not wrapped in act(...)'); expect(i).toBe(i) })\n" > src/t$i.test.js; done
cat > src/t12.test.js <<'E'
const save = async (u) => { if (!u.email) throw new Error('email is required'); return u }
describe('profile', () => {
  test('saves', async () => { await expect(save({ email: 'a' })).resolves.toEqual({ email: 'a' }) })
  test('keeps the name', async () => { const u = await save({ name: 'Ada' }); expect(u.name).toBe('Ada') })
  test('rejects', async () => { await expect(save({})).rejects.toThrow('email is required') })
})
E
run <<'END'
npm test
END

new bash-xtrace-long sh
cat > package.sh <<'E'
set -eux
for i in $(seq 1 700); do
  name=error-page-$i
  mkdir -p out/$name
  echo "failed=0" > out/$name/status
  test -f out/$name/status
done
sed -i 's/@VERSION@/1.0/' debian/control.in
dpkg-deb --version
E
run <<'END'
bash package.sh
END

new tty-vitest vitest
pkg '    "test": "vitest run"'; mkdir src; mods vitest
for i in $(seq 1 25); do printf "import { expect, it } from 'vitest'\nit('error $i', async () => { await new Promise((r) => setTimeout(r, 60)); expect($i).toBe($i) })\n" > src/m$i.test.ts; done
echo "import { expect, it } from 'vitest'
it('sorts by date', () => { expect(['2026-1-9', '2026-1-10'].sort()).toEqual(['2026-1-9', '2026-1-10']) })" > src/sort.test.ts
TTY=1
run <<'END'
npm test
END
TTY=

new tty-pip-progress pip
printf 'numpy==1.26.4\nsix==1.16.0\nrequests==2.31.0\npytest-nonexistent-plugin-flightdeck==1.0\n' > requirements.txt
TTY=1
run <<'END'
python3 -m pip install --target /tmp/t3 -r requirements.txt
END
TTY=

new crlf-python python
printf 'import sys\r\nfor i in range(40): print("row %%d imported, 0 errors" %% i, end="\\r\\n")\r\nprint("total: " + 40, end="\\r\\n")\r\n' > imp.py
run <<'END'
python3 imp.py 2>&1 | sed 's/\r*$/\r/'; test ${PIPESTATUS:-1} -eq 0
END

new apt-unmet apt
run <<'END'
apt-get install -y --no-install-recommends --reinstall --download-only hello cowsay figlet sl fortune-mod
apt-get install -y --no-install-recommends libnope-dev=2.1
END

new vitest-two-thousand vitest
pkg '    "test": "vitest run --reporter=verbose"'; mkdir src; mods vitest
for i in $(seq 1 60); do printf "import { expect, it, describe } from 'vitest'\ndescribe('errors $i', () => { for (let i = 0; i < 40; i++) it('fails gracefully ' + i, () => { console.log('AssertionError: expected ' + i + ' to be ' + (i+1) + ' (logged on purpose)'); expect(i).toBe(i) }) })\n" > src/m$i.test.ts; done
cat > src/z.test.ts <<'E'
import { expect, it, vi } from 'vitest'
const send = vi.fn()
it('sends one mail', () => { send('a@example.com'); send('a@example.com'); expect(send).toHaveBeenCalledTimes(1) })
it('times out', async () => { await new Promise(() => {}) }, 200)
E
run <<'END'
npm test
END

new ok-maven-stacktraces maven
mkdir -p src/test/java/shop; cat > pom.xml <<E
<project><modelVersion>4.0.0</modelVersion><groupId>com.example</groupId><artifactId>shop</artifactId><version>1.0</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build></project>
E
printf 'package shop;\nimport org.junit.*;\npublic class FailureTest {\n  @Test public void logs() { for (int i = 0; i < 60; i++) new RuntimeException("Connection failed " + i, new java.io.IOException("refused")).printStackTrace(); }\n  @Test(expected = AssertionError.class) public void fails() { Assert.fail("expected"); }\n  @Ignore("BUILD FAILURE on CI") @Test public void skipped() {}\n}\n' > src/test/java/shop/FailureTest.java
run <<'END'
mvn -B test
END

new ok-pytest-xdist-noise pytest
for m in a b c; do printf "import sys, traceback, pytest\n@pytest.mark.parametrize('n', range(300))\ndef test_failed_$m(n):\n    try: raise ValueError('error %%d' %% n)\n    except ValueError: traceback.print_exc()\n" > test_$m.py; done
export PATH=/tmp/c/venv/bin:$PATH
run <<'END'
pytest -v -s -n 2
END

new ok-tsc-trace tsc
mods typescript_5_6_3; mkdir src; for i in $(seq 1 30); do echo "export class Error$i extends Error { failed = true }" > src/error$i.ts; done; echo '{"compilerOptions":{"strict":true,"noEmit":true,"skipLibCheck":true,"types":[]},"include":["src"]}' > tsconfig.json
run <<'END'
npx tsc -p . --traceResolution --listFiles --extendedDiagnostics
END

new ok-cargo-warnings cargo
[ -n "$SKIP" ] || cargo init -q --lib --vcs none --name noisy . >/dev/null 2>&1
[ -n "$SKIP" ] || for i in $(seq 1 60); do echo "fn error_$i(failed: u32) { let mut panic = 3; }" >> src/lib.rs; done
run <<'END'
cargo build
cargo test
END

new ok-ansible-ignored ansible
printf -- '- hosts: localhost\n  connection: local\n  gather_facts: false\n  tasks:\n    - name: Fails and is ignored\n      command: /bin/false\n      ignore_errors: true\n    - name: Rescued\n      block: [{ fail: { msg: "error: no quorum" } }]\n      rescue: [{ debug: { msg: "recovered from error" } }]\n' > site.yml
run <<'END'
ansible-playbook -i localhost, site.yml
END

new ok-ruby-rspec rspec
mkdir spec; printf "RSpec.describe 'errors' do\n  60.times { |i| it(\"fails with error #{i}\") { warn \"Error: failed attempt #{i}\"; expect { raise 'failed' }.to raise_error(/failed/) } }\n  xit('is broken') { raise 'x' }\n  it('pending') { pending('bug 12'); expect(1).to eq 2 }\nend\n" > spec/e_spec.rb
run <<'END'
rspec --format documentation
END

new ok-phpunit phpunit
mkdir tests; printf '<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class ErrorTest extends TestCase {\n  public function testFailure(): void { fwrite(STDERR, "PHP Fatal error:  expected by the test\\n"); $this->expectException(RuntimeException::class); throw new RuntimeException("failed"); }\n  public function testSkipped(): void { $this->markTestSkipped("ERROR: needs redis"); }\n}\n' > tests/ErrorTest.php
run <<'END'
phpunit --testdox tests
END

new ok-bats bats
mkdir test; printf '@test "not ok without a file: error" { run cat /nope; [ "$status" -ne 0 ]; echo "Error: $output" >&3; }\n@test "failed login" { skip "FAILED upstream"; }\n' > test/e.bats
run <<'END'
bats --tap test
false || echo "step failed, going on"
END
