#!/usr/bin/env bash
. "$(dirname "$0")/lib.sh"
OUT=$here/../sealed
crate() { [ -n "$SKIP" ] || cargo init -q ${2:---lib} --vcs none --name $1 . >/dev/null 2>&1; }
put() { if [ -n "$SKIP" ]; then cat >/dev/null; else mkdir -p "$(dirname "$1")"; cat > "$1"; fi; }
old=$PATH

new cargo-doctest cargo
crate geo; put src/lib.rs <<'E'
/// Adds.
///
/// ```
/// assert_eq!(geo::add(1, 2), 4);
/// ```
pub fn add(a: u32, b: u32) -> u32 { a + b }
/// Fails on purpose.
///
/// ```should_panic
/// panic!("error: expected");
/// ```
pub fn fail() {}
#[cfg(test)] mod tests { #[test] #[should_panic] fn error() { panic!("failed") } #[test] fn adds() { assert_eq!(super::add(1, 1), 2) } }
E
run <<'END'
cargo test --color always
END

new cargo-overflow cargo
crate tree; put src/lib.rs <<'E'
pub fn depth(n: u64) -> u64 { let a = [n; 64]; if n == u64::MAX { 0 } else { 1 + depth(n + 1) + a[3] % 2 } }
#[cfg(test)] mod tests { #[test] fn a_small() { } #[test] fn b_error_is_logged() { eprintln!("error: only a log line") } #[test] fn deep() { assert!(super::depth(1) > 3) } }
E
run <<'END'
cargo test -- --test-threads=1
END

new cargo-fmt cargo
crate tidy2; put src/lib.rs <<'E'
pub fn f( a:u32 )->u32{ a+1 }
E
run <<'END'
rustfmt --version
cargo fmt --all -- --check
END

new rust-linker cargo
crate ffi --bin; put src/main.rs <<'E'
extern "C" { fn codec_init(level: i32) -> i32; }
fn main() { println!("{}", unsafe { codec_init(3) }); }
E
run <<'END'
cargo build --release
END

new cargo-locked cargo
crate locked; put Cargo.lock <<'E'
version = 4
E
[ -n "$SKIP" ] || printf 'itoa = "1"\n' >> Cargo.toml
run <<'END'
cargo build --locked
END

new cargo-workspace-test cargo
[ -n "$SKIP" ] || { for c in alpha beta gamma; do mkdir -p $c/src; printf '[package]\nname = "%s"\nversion = "0.1.0"\nedition = "2021"\n' $c > $c/Cargo.toml; { echo '#[cfg(test)] mod tests {'; for i in $(seq 1 300); do echo "#[test] fn error_$i() { println!(\"failed $i\"); }"; done; [ $c = beta ] && echo '#[test] fn keeps_utc() -> Result<(), String> { Err(format!("offset is {} minutes, not 0", 60)) }'; echo '}'; } > $c/src/lib.rs; done; printf '[workspace]\nmembers = ["alpha", "beta", "gamma"]\nresolver = "2"\n' > Cargo.toml; }
run <<'END'
cargo test --workspace --no-fail-fast -- --show-output
END

new go-testify go
put go.mod <<'E'
module example.com/plan

go 1.22

require github.com/stretchr/testify v1.9.0
E
put plan_test.go <<'E'
package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestErrors(t *testing.T) { assert.Error(t, assert.AnError) }
func TestWeek(t *testing.T) {
	got := map[string]int{"mon": 1, "tue": 2}
	require.Len(t, got, 2)
	assert.Equal(t, map[string]int{"mon": 1, "tue": 3}, got, "days of the week")
}
E
PRE='go mod tidy'
run <<'END'
go mod download -x
go test -count=1 ./...
END
PRE=

new go-deadlock go
put go.mod <<'E'
module example.com/dead

go 1.22
E
put main.go <<'E'
package main

import "log"

func main() {
	c := make(chan int)
	for i := 0; i < 20; i++ {
		log.Printf("error: worker %d was slow (not fatal)", i)
	}
	c <- 1
}
E
run <<'END'
go build -o app .
./app
END

new go-import-cycle go
put go.mod <<'E'
module example.com/cycle

go 1.22
E
put a/a.go <<'E'
package a

import _ "example.com/cycle/b"
E
put b/b.go <<'E'
package b

import _ "example.com/cycle/a"
E
run <<'END'
go build ./...
END

new go-build-failed-package go
put go.mod <<'E'
module example.com/many

go 1.22
E
[ -n "$SKIP" ] || for p in auth bill cart docs errs fail goods; do mkdir $p; printf 'package %s\n\nimport "testing"\n\nfunc TestError(t *testing.T) { t.Log("error: expected") }\n' $p > $p/x_test.go; done
put docs/y_test.go <<'E'
package docs

import "testing"

func TestTitle(t *testing.T) {
	if Title("a") != "A" {
		t.Fatal("bad title")
	}
}
E
run <<'END'
go test -v ./...
END

new go-map-writes go
put go.mod <<'E'
module example.com/m

go 1.22
E
put m_test.go <<'E'
package m

import (
	"sync"
	"testing"
)

func TestBefore(t *testing.T) {}
func TestCache(t *testing.T) {
	m := map[int]int{}
	var wg sync.WaitGroup
	for i := 0; i < 300; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := 0; j < 50000; j++ {
				m[j] = i
			}
		}()
	}
	wg.Wait()
}
E
run <<'END'
go test ./...
END

new go-example go
put go.mod <<'E'
module example.com/ex

go 1.22
E
put e_test.go <<'E'
package ex

import "fmt"

func ExampleHello() {
	fmt.Println("hello")
	fmt.Println("error 3")
	// Output:
	// hello
	// error 4
}
E
run <<'END'
go test ./...
END

new ld-multiple gcc
put a.c <<'E'
int counter = 1;
int main(void) { return counter; }
E
put b.c <<'E'
int counter = 2;
int twice(int n) { int unused_error; return n * 2; }
E
run <<'END'
gcc -Wall -c a.c
gcc -Wall -c b.c
gcc a.o b.o -o app
END

new ld-cannot-find make
put main.c <<'E'
int main(void) { return 0; }
E
put Makefile <<'E'
LDLIBS = -lm -lgrpc-nope
app: main.o
	$(CC) -o $@ $^ $(LDLIBS)
E
run <<'END'
make -j2 V=1
make test
END

new cppcheck cppcheck
put a.cpp <<'E'
#include <vector>
int f(int n) { int a[4]; for (int i = 0; i <= 4; i++) a[i] = n; return a[0]; }
int main() { return f(1); }
E
run <<'END'
cppcheck --enable=warning --error-exitcode=2 a.cpp
END

new cmake-missing-source cmake
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.20)
project(plan LANGUAGES C CXX)
message(WARNING "errors are not fatal in this mode")
add_library(core STATIC core.cpp parser.cpp)
add_subdirectory(tools)
E
put core.cpp <<'E'
int core() { return 1; }
E
run <<'END'
cmake -B build -G Ninja
ninja -C build
END

new make-separator make
put Makefile <<'E'
VERSION = 1.2
all: build
build:
    echo building $(VERSION)
E
run <<'END'
make --version
make all
END

new ubsan gcc
put t.c <<'E'
#include <stdio.h>
#include <limits.h>
int main(int c, char **v) { for (int i = 0; i < 25; i++) printf("case %d: no runtime error\n", i); fflush(stdout); int x = INT_MAX; x += c; printf("%d\n", x); return 0; }
E
run <<'END'
gcc -g -fsanitize=undefined -fno-sanitize-recover=all -o t t.c
./t
END

new tsan g++
put t.cpp <<'E'
#include <thread>
#include <cstdio>
int hits = 0;
int main() { std::thread a([] { for (int i = 0; i < 1000; i++) hits++; }); std::thread b([] { for (int i = 0; i < 1000; i++) hits++; }); a.join(); b.join(); std::printf("done, 0 errors\n"); }
E
run <<'END'
g++ -g -fsanitize=thread -o t t.cpp
setarch -R ./t
END

new gtest-long googletest
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.20)
project(plan CXX)
find_package(GTest REQUIRED)
add_executable(t t.cpp)
target_link_libraries(t GTest::gtest_main)
E
put t.cpp <<'E'
#include <gtest/gtest.h>
#include <iostream>
class Errors : public testing::TestWithParam<int> {};
TEST_P(Errors, AreReported) { std::cerr << "error: code " << GetParam() << " failed as expected\n"; EXPECT_GE(GetParam(), 0); }
INSTANTIATE_TEST_SUITE_P(All, Errors, testing::Range(0, 400));
static std::string slug(const std::string& s) { return s; }
TEST(Slug, Lowers) { EXPECT_EQ(slug("Hello"), "hello"); }
E
run <<'END'
cmake -B build -DCMAKE_BUILD_TYPE=Debug
cmake --build build
./build/t
END

new meson-test meson
put meson.build <<'E'
project('plan', 'c')
t = executable('t', 't.c')
test('errors', t, args: ['0'])
test('parse failure', t, args: ['0'])
test('rounding', t, args: ['3'])
E
put t.c <<'E'
#include <stdio.h>
#include <stdlib.h>
int main(int c, char **v) { int n = atoi(v[1]); fprintf(stderr, "error handler installed\n"); if (n) { fprintf(stderr, "round(2.5) gave 2, expected 3\n"); return 1; } return 0; }
E
run <<'END'
meson setup b
meson test -C b --print-errorlogs
END

export PATH=/tmp/c/venv/bin:$old
new py-recursion python
put tree.py <<'E'
def depth(n): return 1 + depth(n.get('child', n))
for i in range(10): print('tree', i, 'has no errors')
print(depth({'a': 1}))
E
run <<'END'
python tree.py
END

new py-called-process python
put release.py <<'E'
import subprocess
def sh(*a): print('$', *a, flush=True); subprocess.run(a, check=True)
sh('echo', 'checking for errors')
sh('git', '--version')
sh('git', 'describe', '--tags', '--exact-match')
sh('echo', 'published')
E
run <<'END'
git init -q
python release.py
END

new py-circular python
put a.py <<'E'
from b import B
class A: pass
E
put b.py <<'E'
from a import A
class B(A): pass
E
run <<'END'
python -c 'import a'
END

new py-exception-group python
put jobs.py <<'E'
import asyncio
async def job(n):
    await asyncio.sleep(0.01)
    if n == 4: raise ValueError(f'job {n}: negative duration -3')
    print(f'job {n} done, errors: 0')
async def main():
    async with asyncio.TaskGroup() as g:
        for n in range(9): g.create_task(job(n))
asyncio.run(main())
E
run <<'END'
python jobs.py
END

new pytest-vv-long pytest
put test_report.py <<'E'
import pytest
rows = [{'id': i, 'state': 'error' if i % 3 else 'ok', 'name': f'row {i}'} for i in range(60)]
@pytest.mark.parametrize('i', range(500))
def test_row(i): print('ERROR in row', i); assert i < 1000
def test_report():
    want = [dict(r) for r in rows]; want[41]['name'] = 'row forty-one'
    assert rows == want
E
run <<'END'
pytest -vv
END

new pytest-doctest pytest
put plan.py <<'E'
def week(n):
    """Number of the week.

    >>> week(8)
    2
    >>> week(1)
    1
    """
    return n // 7
E
run <<'END'
pytest --doctest-modules -q
END

new pytest-hypothesis pytest
put test_codec.py <<'E'
from hypothesis import given, strategies as st, settings
def encode(s): return s.strip()
@settings(derandomize=True)
@given(st.text())
def test_round_trip(s): assert encode(s) == s
def test_errors(): print('error: fine')
E
run <<'END'
pytest
END

new pytest-cov pytest
put app.py <<'E'
def a(x):
    if x > 1:
        return 'error'
    elif x > 0:
        return 'failed'
    return None
def b():
    raise ValueError('never')
E
put test_app.py <<'E'
from app import a
def test_a(): assert a(2) == 'error'
E
run <<'END'
pytest --cov=app --cov-fail-under=90 --cov-report=term-missing
END

new pytest-log-noise pytest
put test_sync.py <<'E'
import logging
log = logging.getLogger('sync')
def run(n):
    for i in range(n):
        log.error('Traceback (most recent call last): not really, request %d', i)
        log.warning('retry %d failed: ConnectionError', i)
    return n - 1
def test_small(): assert run(3) == 2
def test_sync(): assert run(1500) == 1500, 'every request is counted'
E
run <<'END'
pytest -o log_cli=true -o log_cli_level=DEBUG
END

new mypy-many mypy
[ -n "$SKIP" ] || for i in $(seq 1 40); do mkdir -p app; printf 'import yaml\ndef error_%d(x: int) -> str:\n    return x\n' $i > app/m$i.py; done
run <<'END'
mypy app
END

new robot robot
put t.robot <<'E'
*** Test Cases ***
Error Page Is Shown
    Log To Console    error: 404 as expected
    Should Be Equal    a    a
Title Is Right
    Should Be Equal    Planner    planer
E
run <<'END'
robot --consolewidth 90 t.robot
END

new pip-hashes pip
put requirements.txt <<'E'
six==1.16.0 --hash=sha256:0000000000000000000000000000000000000000000000000000000000000000
E
run <<'END'
python -m pip install --require-hashes --target /tmp/t9 -r requirements.txt
END

new pip-requires-python pip
put pyproject.toml <<'E'
[project]
name = "planner"
version = "1.0"
requires-python = ">=3.99"
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
E
run <<'END'
python -m pip --version
python -m pip install .
END

new pytest-killed timeout
put test_hang.py <<'E'
import time
def test_a(): pass
def test_error_free(): pass
def test_lock():
    while True: time.sleep(0.1)
E
run <<'END'
timeout -s KILL 6 pytest -v
END

new sqlfluff sqlfluff
put q.sql <<'E'
SELECT a.id,b.name from orders a JOIN users b on a.uid=b.id
E
run <<'END'
sqlfluff lint --dialect postgres q.sql
END
export PATH=$old

pomx() { put pom.xml <<E
<project><modelVersion>4.0.0</modelVersion><groupId>com.example</groupId><artifactId>planner</artifactId><version>1.0</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin>$1</plugins></build></project>
E
}
new maven-enforcer maven
pomx '<plugin><artifactId>maven-enforcer-plugin</artifactId><version>3.4.1</version><executions><execution><goals><goal>enforce</goal></goals><configuration><rules><requireJavaVersion><version>[21,)</version></requireJavaVersion></rules></configuration></execution></executions></plugin>'
run <<'END'
mvn -B -ntp verify
END

new maven-test-compile maven
pomx ''; put src/main/java/p/Day.java <<'E'
package p;
public record Day(int number) { }
E
put src/test/java/p/DayTest.java <<'E'
package p;
import org.junit.*;
public class DayTest { @Test public void name() { Assert.assertEquals("Monday", new Day(1).name()); } }
E
run <<'END'
mvn -B test
END

new maven-phase maven
pomx ''
run <<'END'
mvn -version
mvn -B verfy
END

new maven-log-noise maven
pomx ''; put src/test/java/p/SyncTest.java <<'E'
package p;
import org.junit.*;
import java.util.logging.*;
public class SyncTest {
  static final Logger L = Logger.getLogger("sync");
  @Test public void retries() { for (int i = 0; i < 500; i++) L.log(Level.SEVERE, "ERROR attempt " + i + " failed", new java.net.ConnectException("Connection refused")); }
  @Test public void drains() { java.util.Queue<Integer> q = new java.util.ArrayDeque<>(java.util.List.of(1, 2, 3)); q.poll(); Assert.assertEquals("queue is empty", 0, q.size()); }
  @Test public void again() { for (int i = 0; i < 300; i++) L.warning("BUILD FAILURE is only text " + i); }
}
E
run <<'END'
mvn -B -ntp test
END

new gradle-test gradle
put build.gradle <<'E'
apply plugin: 'java'
repositories { mavenCentral() }
dependencies { testCompile 'junit:junit:4.12' }
test { testLogging { exceptionFormat 'full' } }
E
put src/test/java/PlanTest.java <<'E'
import org.junit.*;
public class PlanTest {
  @Test public void error() { System.err.println("error"); }
  @Test public void fits() { Assert.assertEquals("hours per day", 24, 8 + 8 + 7); }
}
E
run <<'END'
gradle --no-daemon --console=plain test
END

new java-oom java
put Main.java <<'E'
import java.util.*;
public class Main { public static void main(String[] a) { List<long[]> l = new ArrayList<>(); for (int i = 0; ; i++) { l.add(new long[200000]); System.out.println("imported batch " + i + ", errors: 0"); } } }
E
run <<'END'
javac Main.java
java -Xmx40m Main
END

new java-init java
put Main.java <<'E'
public class Main {
  static class Config { static final int PORT = Integer.parseInt(System.getProperty("port", "80a")); }
  public static void main(String[] a) { System.out.println("starting"); System.out.println(Config.PORT); }
}
E
run <<'END'
javac Main.java
java Main
END

new minitest ruby
put test/plan_test.rb <<'E'
require 'minitest/autorun'
class PlanTest < Minitest::Test
  40.times { |i| define_method("test_error_#{i}") { warn "error #{i} (expected)"; assert_raises(RuntimeError) { raise 'failed' } } }
  def test_week_starts_on_monday = assert_equal('Monday', Time.new(2026, 11, 22).strftime('%A'))
end
E
run <<'END'
ruby test/plan_test.rb --seed 7
END

new rake ruby
put Rakefile <<'E'
task(:prepare) { 8.times { |i| puts "preparing error page #{i}" } }
task(:build) { sh 'cp assets/logo.svg public/' }
task default: [:prepare, :build]
E
run <<'END'
rake --version
rake
END

new php-parse php
put src/a.php <<'E'
<?php
function ok() { return 'error'; }
E
put src/b.php <<'E'
<?php
class Plan {
  public function days(): array { return [1, 2, 3 }
}
E
run <<'END'
for f in src/*.php; do php -l $f; done
END

new composer composer
put composer.json <<'E'
{ "name": "acme/planner", "require": { "php": ">=9.0", "ext-nope": "*" } }
E
run <<'END'
COMPOSER_ALLOW_SUPERUSER=1 composer install --no-interaction
END

new lua lua
put main.lua <<'E'
local conf = { name = "planner" }
for i = 1, 15 do print("error handler " .. i .. " registered") end
print(conf.db.host)
E
run <<'END'
lua5.4 main.lua
END

new perl-die perl
put imp.pl <<'E'
use strict; use warnings;
sub read_row { my ($n) = @_; die "row $n: expected 5 columns, found 4\n" if $n == 44; return $n }
for my $n (1 .. 60) { warn "row $n: empty error column\n" if $n % 10 == 0; print "row $n ok\n" if read_row($n) }
E
run <<'END'
perl imp.pl
END

new sed-expression sed
put version.txt <<'E'
version=1.0
E
run <<'END'
cat version.txt
sed -i 's/version=.*/version=2.0' version.txt
cat version.txt
END

new terraform-provider terraform
put main.tf <<'E'
terraform { required_providers { aws = { source = "hashicorp/aws", version = "~> 5.0" } } }
provider "aws" { region = "eu-central-1" }
E
run <<'END'
terraform init -input=false
terraform plan -input=false
END

new terraform-syntax terraform
put main.tf <<'E'
variable "env" {
  type = string
}
output "e" {
  value = "${var.env"
}
E
run <<'END'
terraform fmt -check -no-color
terraform validate -no-color
END

new tar-corrupt tar
PRE='head -c 60000 /dev/urandom > a.bin; tar czf cache.tgz a.bin; truncate -s 30000 cache.tgz'
run <<'END'
ls -l cache.tgz
tar xzvf cache.tgz
END
PRE=

new curl-tls curl
PRE='openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 2 -subj /CN=localhost; (timeout 30 openssl s_server -accept 18573 -key k.pem -cert c.pem -www >/dev/null 2>&1 &) ; sleep 2'
run <<'END'
curl --version | head -1
curl -fsS https://localhost:18573/artifact.zip -o artifact.zip
END
PRE=

new git-rebase git
PRE='git init -q -b main; seq 1 30 > a; git add a; git commit -qm base; git checkout -q -b f; sed -i s/^15$/fifteen/ a; git commit -qam "Spell out fifteen"; git checkout -q main; sed -i s/^15$/15.0/ a; git commit -qam "Use decimals"; git checkout -q f'
run <<'END'
git status -sb
git rebase main
END

new git-pathspec git
PRE='git init -q -b main; echo 1 > a; git add a; git commit -qm base'
run <<'END'
git branch -a
git checkout release/4.2
make
END

new git-clone-progress git
PRE='git init -q -b main o; cd o; for i in $(seq 1 1500); do echo $i > f$i; done; git add .; git commit -qm big; cd ..'
run <<'END'
git clone --progress --no-local file:///drone/src/o w
cd w
git checkout --progress 8f3c2d1e
END
PRE=

new ansible-unreachable ansible
put site.yml <<'E'
- hosts: web
  gather_facts: true
  tasks: [{ name: Ping, ping: {} }]
E
put hosts <<'E'
[web]
web-1.internal.invalid
E
run <<'END'
ansible-playbook -i hosts site.yml
END

new kustomize kubectl
put kustomization.yaml <<'E'
resources: [deployment.yaml, service.yaml]
namePrefix: prod-
E
put deployment.yaml <<'E'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
E
run <<'END'
kubectl version --client
kubectl kustomize .
END

new bash-trap bash
put ci.sh <<'E'
#!/bin/bash
set -Eeuo pipefail
trap 'echo "ERROR: line $LINENO of ci.sh ended with $?" >&2' ERR
for s in lint unit smoke; do echo "stage $s: 0 failures"; done
cd build/output
ls
E
run <<'END'
bash ci.sh
END

new flaky-wait sh
put wait.sh <<'E'
for i in 1 2 3 4 5 6 7 8; do
  if curl -fsS -m 1 http://127.0.0.1:9/ready; then exit 0; fi
  echo "service is not ready yet ($i/8), sleeping"
  sleep 0.2
done
echo "service did not become ready within 8 attempts; last state: starting (migrations pending)" >&2
exit 1
E
run <<'END'
sh wait.sh
echo deployed
END

new openssl-expired openssl
PRE='openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 1 -subj /CN=planner.example.com'
run <<'END'
openssl x509 -in c.pem -noout -subject
openssl x509 -in c.pem -noout -checkend 8640000
END
PRE=

new tty-cargo cargo
crate prog --bin; put src/main.rs <<'E'
use std::fmt::Write;
fn main() { let mut s = String::new(); write!(s, "{}", itoa::Buffer::new().format(3)).unwrap(); let n: i32 = s; println!("{n}"); }
E
[ -n "$SKIP" ] || printf 'itoa = "1"\nanyhow = "1"\nlog = "0.4"\n' >> Cargo.toml
TTY=1
run <<'END'
cargo build
END
TTY=

new okx-go-bench go
put go.mod <<'E'
module example.com/ok

go 1.22
E
put a_test.go <<'E'
package ok

import (
	"errors"
	"log"
	"testing"
)

func TestFatalPath(t *testing.T) {
	for i := 0; i < 300; i++ {
		log.Println("FATAL: panic: runtime error (simulated)", errors.New("exit status 1"), i)
	}
}
func TestErr(t *testing.T) { t.Log("--- FAIL: TestOther (0.00s)"); t.Skip("error") }
func BenchmarkError(b *testing.B) {
	for i := 0; i < b.N; i++ {
		_ = errors.New("failed")
	}
}
E
run <<'END'
go vet ./...
go test -v -bench . -benchtime 100x ./...
END

new okx-gradle gradle
put build.gradle <<'E'
apply plugin: 'java'
task warn { doLast { println 'error: this is only a message'; System.err.println 'FAILURE: also only a message' } }
E
put src/main/java/E.java <<'E'
import java.util.*;
class ErrorPage { List failed = new ArrayList(); Thread t = new Thread(); void stop() { t.stop(); } }
E
run <<'END'
gradle --no-daemon --console=plain warn build
END

new okx-gcc-flood gcc
[ -n "$SKIP" ] || for i in $(seq 1 70); do printf '#include <stdio.h>\n#include <string.h>\nint failed_%d(char *error) { char b[4]; int fatal; sprintf(b, "%%s", error); strncpy(b, error, 4); return b == error; }\n' $i > e$i.c; done
run <<'END'
for f in e*.c; do gcc -O2 -Wall -Wextra -fdiagnostics-color=always -c $f; done
ar rcs liberrors.a e*.o
END

new okx-apt apt
run <<'END'
apt-get update -o Acquire::Retries=2 || true
apt-get install -y --no-install-recommends liberror-perl
apt-get remove -y nonexistent-package-error || echo "nothing to remove"
dpkg -l liberror-perl | tail -1
END

new okx-pip-verbose pip
run <<'END'
python3 -m venv /tmp/ve8
/tmp/ve8/bin/pip install -vvv exceptiongroup==1.2.0
END

new okx-python-warnings unittest
put test_w.py <<'E'
import unittest, warnings, sys, traceback
class T(unittest.TestCase):
    def test_error_output(self):
        for i in range(120):
            try: {}['k%d' % i]
            except KeyError: traceback.print_exc()
            warnings.warn('failed fallback %d' % i)
    def test_exit(self):
        with self.assertRaises(SystemExit): sys.exit(1)
    @unittest.skip('FAILED on CI')
    def test_skip(self): pass
E
run <<'END'
python3 -W always -m unittest -v
END

new okx-git-hints git
PRE='git init -q -b main; echo 1 > a; git add a; git commit -qm "Fix fatal error: failed build"; git tag v1'
run <<'END'
git checkout v1
git log --oneline
git diff --stat HEAD || true
git rev-parse --verify no-such-ref || echo "no such ref, using main"
git merge-base HEAD main
END
PRE=

new okx-configure configure
put configure.ac <<'E'
AC_INIT([errors], [1.0])
AC_PROG_CC
AC_CHECK_HEADERS([error.h failed.h windows.h fatal/err.h])
AC_CHECK_FUNCS([error perror strerror_r err_fatal])
AC_MSG_WARN([error reporting will be plain: libunwind was not found])
AC_OUTPUT
E
PRE=autoconf
run <<'END'
./configure
grep -c error config.log
END
PRE=

new okx-shell-tolerated sh
run <<'END'
docker info || echo "no docker here, tests run without"
npm --prefix /nonexistent run lint || true
python3 -c 'raise ValueError("failed on purpose")' || true
timeout 1 sleep 5 || echo "timed out as expected"
sh -c 'kill -SEGV $$' || true
make -C /nonexistent || true
echo "all 12 checks passed, 0 errors"
END
