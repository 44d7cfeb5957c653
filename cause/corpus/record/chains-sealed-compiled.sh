#!/usr/bin/env bash
# Chains of compiled languages' commands for the sealed part.
. "$(dirname "$0")/chains-lib.sh"
crates=$(echo ~/.cargo/registry/src/*/)
gomods=~/go/pkg/mod
gomod() { put go.mod <<E
module example.com/ledger

go 1.22
$1
E
}
[ "$OUT" != "$here/.." ] || OUT=$here/../sealed

new go-cobra go
copy $gomods/github.com/spf13/cobra@v1.8.0
edit cobra.go 's/d\[i\]\[j\] = min \+ 1/d[i][j] = min + 2/'
run <<'END'
go version
go mod download -x
go vet ./...
go test -v ./...
END

new go-logrus-race go
copy $gomods/github.com/sirupsen/logrus@v1.9.3
edit text_formatter.go 's/ch >= .0. \&\& ch <= .9./ch >= 48 \&\& ch < 57/'
run <<'END'
go test -race -v ./...
go build ./...
END

new go-cron go
copy $gomods/github.com/robfig/cron/v3@v3.0.1
edit spec.go 's/t\.Day\(\) == 1/t.Day() == 2/'
run <<'END'
gofmt -l .
go test -count=1 ./...
END

new go-pflag-type go
copy $gomods/github.com/spf13/pflag@v1.0.5
edit int_slice.go 's/out\[i\], err = strconv\.Atoi\(d\)/out[i], err = strconv.ParseInt(d, 10, 64)/'
run <<'END'
go env GOFLAGS GOOS GOARCH
go vet ./...
go test ./...
END

new go-golangci golangci-lint
gomod
many 12 internal/e@/e.go <<'E'
package e@

import "errors"

var ErrFailed@ = errors.New("failed @")
E
put main.go <<'E'
package main

import (
	"fmt"
	"os"

	"example.com/ledger/internal/e3"
)

func main() {
	f, err := os.Open("errors.log")
	fmt.Println(e3.ErrFailed3)
	f.Close()
	err = os.Remove("failed")
}
E
run <<'END'
golangci-lint --version
go build ./internal/...
golangci-lint run --timeout 5m
END

new golangci-unknown-flag golangci-lint
gomod
many 12 internal/e@/e.go <<'E'
package e@

import "errors"

var ErrFailed@ = errors.New("failed @")
E
put main.go <<'E'
package main

import (
	"fmt"
	"os"

	"example.com/ledger/internal/e3"
)

func main() {
	f, err := os.Open("errors.log")
	fmt.Println(e3.ErrFailed3)
	f.Close()
	err = os.Remove("failed")
}
E
run <<'END'
golangci-lint version --short
go build ./internal/...
golangci-lint run --timeout 5m
END

new go-generate-diff go
gomod
put gen.go <<'E'
package ledger

//go:generate sh -c "echo package ledger > codes.go; echo >> codes.go; echo 'const Failed, Error, Lost = 1, 2, 3' >> codes.go"
E
put codes.go <<'E'
package ledger

const Failed, Error = 1, 2
E
PRE='git init -q; git add .; git commit -qm "Start"'
run <<'END'
go generate ./...
go vet ./...
git diff --exit-code
END
PRE=

new go-sum-missing go
gomod '
require github.com/pkg/errors v0.9.1'
put main.go <<'E'
package main

import "github.com/pkg/errors"

func main() { panic(errors.New("failed")) }
E
run <<'END'
go list -m all
go build -v ./...
END

new go-toolchain go
put go.mod <<'E'
module example.com/ledger

go 1.99
E
put main.go <<'E'
package main

func main() {}
E
run <<'END'
GOTOOLCHAIN=local go build ./...
END

new go-fuzz go
gomod
put money_test.go <<'E'
package ledger

import "testing"

func parse(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		n = n*10 + int(s[i]-'0')
		if s[i] == ',' && i == 0 {
			panic("amount begins with a comma")
		}
	}
	return n
}
func TestErrors(t *testing.T) { t.Log("error: fine") }
func FuzzParse(f *testing.F) {
	f.Add("1,50")
	f.Fuzz(func(t *testing.T, s string) { parse(s) })
}
E
run <<'END'
go test ./...
go test -fuzz FuzzParse -fuzztime 20s -parallel 1 .
END

new go-goose goose
[ -n "$SKIP" ] || { mkdir sql; for i in $(seq 10 32); do printf -- "-- +goose Up\nCREATE TABLE errors_$i (id INTEGER PRIMARY KEY, failed TEXT);\n-- +goose Down\nDROP TABLE errors_$i;\n" > sql/000${i}_errors_$i.sql; done; printf -- "-- +goose Up\nALTER TABLE errors_11 RENAME COLUMN error TO reason;\n-- +goose Down\nSELECT 1;\n" > sql/00040_rename.sql; }
run <<'END'
goose -version
goose -dir sql sqlite3 ledger.db up
go test ./...
END

new go-cgo-header go
gomod
put main.go <<'E'
package main

// #include <libvips-nope/vips.h>
import "C"

func main() { println("errors", C.int(3)) }
E
run <<'END'
go env CGO_ENABLED
go build ./...
END

new go-fatal-in-test go
gomod
many 9 e@/e_test.go <<'E'
package e@

import (
	"log"
	"testing"
)

func TestErrors(t *testing.T) { log.Println("ERROR: failed @ (expected)") }
E
put store/store_test.go <<'E'
package store

import (
	"log"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	log.Println("starting store")
	if os.Getenv("DATABASE_URL") == "" {
		log.Fatal("DATABASE_URL must be set for the tests of the store")
	}
	os.Exit(m.Run())
}
func TestA(t *testing.T) {}
E
run <<'END'
go test -v ./...
END

new go-cmp-golden go
gomod '
require github.com/google/go-cmp v0.6.0'
put r_test.go <<'E'
package ledger

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type Row struct {
	ID    int
	State string
	Tags  []string
}

func TestErrors(t *testing.T) {
	for i := 0; i < 600; i++ {
		t.Run(fmt.Sprint("error/", i), func(t *testing.T) { t.Log("error", i) })
	}
}
func TestReport(t *testing.T) {
	want := []Row{{1, "failed", []string{"a", "b"}}, {2, "ok", nil}}
	got := []Row{{1, "failed", []string{"a"}}, {2, "error", nil}}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("report mismatch (-want +got):\n%s", d)
	}
}
E
PRE='go mod tidy'
run <<'END'
go test -v ./...
END
PRE=

new go-nil-parallel go
gomod
put q_test.go <<'E'
package ledger

import (
	"fmt"
	"testing"
	"time"
)

type node struct{ next *node }

func TestMany(t *testing.T) {
	for i := 0; i < 250; i++ {
		t.Run(fmt.Sprint("error", i), func(t *testing.T) { t.Parallel(); fmt.Println("level=error msg=failed n=", i) })
	}
}
func TestWalk(t *testing.T) {
	t.Parallel()
	done := make(chan int)
	go func() {
		n := &node{next: &node{}}
		for {
			n = n.next
			time.Sleep(time.Millisecond)
		}
	}()
	<-done
}
E
run <<'END'
go test -v -timeout 60s ./...
echo done
END

new cargo-heck cargo
copy $crates/heck-0.4.1
edit src/lib.rs 's/next_mode == WordMode::Lowercase \&\& next/next_mode == WordMode::Uppercase \&\& next/'
run <<'END'
cargo test
cargo doc
END

new cargo-httparse cargo
copy $crates/httparse-1.10.1
edit src/lib.rs 's/^impl<.h, .b> Request/impl<'"'h, 'c"'> Request/'
run <<'END'
cargo test --lib
END

new cargo-textwrap-warnings cargo
copy $crates/textwrap-0.16.4
edit src/fill.rs '0,/^pub fn fill/s//fn left_over(error: usize) -> usize { 3 }\npub fn fill/'
run <<'END'
RUSTFLAGS='-D warnings' cargo check --all-targets
cargo test
END

new cargo-wasm-target cargo
[ -n "$SKIP" ] || cargo init -q --lib --vcs none --name ledger . > /dev/null 2>&1
run <<'END'
cargo build
cargo build --target wasm32-unknown-unknown
END

new cargo-msrv cargo
put Cargo.toml <<'E'
[package]
name = "ledger"
version = "0.1.0"
edition = "2021"
rust-version = "1.199"
E
put src/lib.rs <<'E'
pub fn failed() {}
E
run <<'END'
cargo --version
cargo build
END

new cargo-doc-links cargo
put Cargo.toml <<'E'
[package]
name = "ledger"
version = "0.1.0"
edition = "2021"
E
put src/lib.rs <<'E'
//! Errors, see [`Failed`] and [`crate::retry::Policy`].
/// A failure.
pub struct Failed;
E
run <<'END'
cargo build
RUSTDOCFLAGS='-D warnings' cargo doc --no-deps
END

new cargo-build-script cargo
put Cargo.toml <<'E'
[package]
name = "ledger"
version = "0.1.0"
edition = "2021"
[build-dependencies]
pkg-config = "0.3"
E
put build.rs <<'E'
fn main() { println!("cargo:rerun-if-changed=build.rs"); pkg_config::Config::new().atleast_version("7.2").probe("libledgerdb").unwrap(); }
E
put src/lib.rs <<'E'
pub fn error() {}
E
run <<'END'
cargo fetch
cargo build --verbose
END

new cargo-sigsegv cargo
put Cargo.toml <<'E'
[package]
name = "ledger"
version = "0.1.0"
edition = "2021"
E
put src/lib.rs <<'E'
pub fn first(p: *const u64) -> u64 { unsafe { std::ptr::read_volatile(p) } }
#[cfg(test)] mod tests {
  #[test] fn a_error() { println!("error"); }
  #[test] fn reads_first() { assert_eq!(super::first(8 as *const u64), 3); }
  #[test] fn z_failed() {}
}
E
run <<'END'
cargo test -- --test-threads 1
END

new cargo-backtrace cargo
put Cargo.toml <<'E'
[package]
name = "ledger"
version = "0.1.0"
edition = "2021"
E
put src/lib.rs <<'E'
pub fn load(p: &str) -> std::io::Result<String> { std::fs::read_to_string(p) }
E
put tests/config.rs <<'E'
#[test] fn error_is_kept() { assert!(ledger::load("nope").is_err()); }
#[test] fn loads_defaults() { let t = ledger::load("config/default.toml").expect("defaults are shipped"); assert!(t.contains("port")); }
E
run <<'END'
RUST_BACKTRACE=1 cargo test --workspace --no-fail-fast
END

new libyaml-make-check automake
[ -n "$SKIP" ] || tar xzf $CHAINS/src/libyaml_0.2.5.orig.tar.gz --strip-components=1
edit src/reader.c 's/value >= 0x10000 && value <= 0x10FFFF/value > 0x10FFFF/;s/width == 2 \&\& value >= 0x80/width == 2 \&\& value >= 0x180/'
PRE='autoreconf -i'
run <<'END'
./configure --disable-dependency-tracking
make -j2
make check
END
PRE=

new tinyxml2-test cmake
[ -n "$SKIP" ] || tar xJf $CHAINS/src/tinyxml2_9.0.0+dfsg.orig.tar.xz --strip-components=1
edit tinyxml2.cpp '0,/return \*this;/!s/_memPool = 0;/_memPool = 0; _parseCurLineNum = 1;/;s/"lt", 2,/"lt", 2, /;s/\{ "apos", 4,/{ "apos", 3,/'
run <<'END'
cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug
cmake --build build
ctest --test-dir build --output-on-failure
END

new lua-link make
[ -n "$SKIP" ] || tar xzf $CHAINS/src/lua5.4_5.4.4.orig.tar.gz --strip-components=1
edit src/Makefile 's/ lzio\.o / /;s/lzio\.o$//'
edit src/lzio.c 's/^int luaZ_fill/int luaZ_fil/'
run <<'END'
make -C src linux CC='gcc -std=gnu99'
make test
END

new cjson-unity ctest
[ -n "$SKIP" ] || tar xzf $CHAINS/src/cjson_1.7.15.orig.tar.gz --strip-components=1
edit cJSON.c 's/%1\.15g/%1.5g/;s/%1\.17g/%1.7g/'
run <<'END'
cmake -B build -DCMAKE_POLICY_VERSION_MINIMUM=3.5
make -C build -j2
make -C build test CTEST_OUTPUT_ON_FAILURE=1
END

new catch2 catch2
put t.cpp <<'E'
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
static int days(int m) { return m == 2 ? 28 : 30; }
TEST_CASE("errors") { for (int i = 0; i < 9; i++) { std::cerr << "error " << i << " failed as planned\n"; CHECK(i < 9); } }
TEST_CASE("days of a month") { SECTION("february") { REQUIRE(days(2) == 28); } SECTION("july") { REQUIRE(days(7) == 31); } }
E
run <<'END'
g++ -std=c++17 -o t t.cpp
./t
END

new boost-test boost
put t.cpp <<'E'
#define BOOST_TEST_MODULE ledger
#include <boost/test/included/unit_test.hpp>
BOOST_AUTO_TEST_CASE(errors) { BOOST_TEST_MESSAGE("error 3"); BOOST_TEST(true); }
BOOST_AUTO_TEST_CASE(sum) { int a = 19, b = 4; BOOST_TEST(a + b == 24); }
BOOST_AUTO_TEST_CASE(failed_login) { BOOST_CHECK_THROW(throw std::runtime_error("failed"), std::exception); }
E
run <<'END'
g++ -o t t.cpp
./t --log_level=test_suite
END

new check-fork check
put t.c <<'E'
#include <check.h>
#include <stdlib.h>
START_TEST(error_code) { ck_assert_int_ge(_i, 0); } END_TEST
START_TEST(free_twice) { char *volatile p = NULL; *p = 3; } END_TEST
int main(void) { Suite *s = suite_create("ledger"); TCase *t = tcase_create("core"); tcase_add_loop_test(t, error_code, 0, 30); tcase_add_test(t, free_twice); suite_add_tcase(s, t); SRunner *r = srunner_create(s); srunner_run_all(r, CK_VERBOSE); int n = srunner_ntests_failed(r); srunner_free(r); return n ? EXIT_FAILURE : 0; }
E
run <<'END'
gcc -Wall -o t t.c -lcheck -lsubunit -lm -lrt -lpthread
./t
END

new gcovr-under gcovr
put e.c <<'E'
int failed(int error) {
  if (error > 3) {
    error *= 2;
    return error;
  }
  return 0;
}
int main(void) { return failed(1); }
E
run <<'END'
gcc --coverage -o e e.c
./e
gcovr --fail-under-line 80 --print-summary
END

new scons scons
put SConstruct <<'E'
env = Environment(CFLAGS='-Wall')
for i in range(1, 41): env.Object(f'src/e{i}.c')
env.Program('app', ['src/main.c', 'src/e3.c'])
E
many 40 src/e@.c <<'E'
int failed@(int error) { int unused_error; return error + @; }
E
put src/main.c <<'E'
int failed3(int);
int main(void) { return failed3("x", 2); }
E
run <<'END'
scons --version | head -1
scons -j2
END

new gcc-cc1plus-memory g++
many 20 ok@.cpp <<'E'
#include <string>
std::string failed@(int error) { return std::to_string(error); }
E
put big.cpp <<'E'
#include <utility>
#include <tuple>
template <int... I> auto make(std::integer_sequence<int, I...>) { return std::make_tuple(I...); }
auto all = make(std::make_integer_sequence<int, 3000>{});
int main() { return std::get<7>(all); }
E
put Makefile <<'E'
SRC = $(wildcard ok*.cpp) big.cpp
app: $(SRC:.cpp=.o)
	$(CXX) -o $@ $^
%.o: %.cpp
	$(CXX) -c -o $@ $<
E
run <<'END'
ulimit -v 180000
make
END

new fpic-relocation gcc
put a.c <<'E'
int errors = 3;
int failed(void) { return errors; }
E
run <<'END'
gcc -fno-pic -mcmodel=medium -c a.c
gcc -shared -o libledger.so a.o
END

new vtable g++
put shape.h <<'E'
struct Shape { virtual ~Shape(); virtual int error() const; };
E
put main.cpp <<'E'
#include "shape.h"
struct Box : Shape { int error() const override { return 0; } };
int main() { Box b; return b.error(); }
E
put Makefile <<'E'
CXXFLAGS = -O0 -Wall
app: main.o
	$(CXX) -o $@ $^
E
run <<'END'
make app
./app
END

new shared-library-missing sh
put a.c <<'E'
int failed(void) { return 0; }
E
put m.c <<'E'
int failed(void);
int main(void) { return failed(); }
E
run <<'END'
mkdir -p build
gcc -shared -fPIC -o build/libledger.so.2 -Wl,-soname,libledger.so.2 a.c
gcc -o build/app m.c build/libledger.so.2
echo "0 errors, 0 warnings"
./build/app --self-test
END

new gdb-backtrace sh
put t.c <<'E'
#include <stdio.h>
#include <stdlib.h>
struct row { char *name; };
static void print(struct row *r) { printf("row %c\n", r->name[0]); }
int main(void) { for (int i = 0; i < 60; i++) printf("row %d: no error\n", i); fflush(stdout); print(calloc(1, sizeof(struct row))); return 0; }
E
put run-tests.sh <<'E'
#!/bin/bash
./t
code=$?
if [ $code -gt 128 ]; then
  echo "test program ended with $code, running it again under gdb"
  gdb -batch -nx -ex run -ex 'bt full' ./t 2>&1 | tail -25
fi
echo "uploading logs"
for i in 1 2 3 4 5 6; do echo "  uploaded part $i, no error"; done
exit $code
E
run <<'END'
gcc -g -o t t.c
bash run-tests.sh
END

new leak-sanitizer gcc
put t.c <<'E'
#include <stdio.h>
#include <stdlib.h>
static char *load(int n) { char *p = malloc(n); p[0] = 'e'; return p; }
int main(void) { for (int i = 0; i < 12; i++) { char *p = load(64); printf("case %d: 0 errors\n", i); if (i != 5) free(p); p = 0; } puts("all 12 cases passed"); return 0; }
E
run <<'END'
gcc -g -fsanitize=address -o t t.c
./t
END

new valgrind-read valgrind
put t.c <<'E'
#include <stdio.h>
#include <stdlib.h>
int main(void) { int *a = malloc(4 * sizeof *a); for (int i = 0; i < 4; i++) a[i] = i; int s = 0; for (int i = 0; i <= 4; i++) s += a[i]; printf("errors: %d\n", s > 100); free(a); return 0; }
E
run <<'END'
gcc -g -o t t.c
valgrind --error-exitcode=9 --leak-check=full ./t
END

new zig-build zig
put build.zig <<'E'
const std = @import("std");
pub fn build(b: *std.Build) void { _ = b; }
E
put m.zig <<'E'
const std = @import("std");
const Failed = error{Lost};
fn f(n: u8) Failed!u8 { if (n > 3) return error.Lost; return n; }
test "no error" { try std.testing.expectEqual(@as(u8, 2), try f(2)); }
test "keeps nine" { try std.testing.expectEqual(@as(u8, 9), try f(9)); }
E
run <<'END'
python -m ziglang version
python -m ziglang test m.zig
END

new verilator-lint verilator
put top.v <<'E'
module top(input clk, input [7:0] error, output reg [3:0] failed);
  always @(posedge clk) failed <= error;
endmodule
E
run <<'END'
verilator --version
verilator --lint-only -Wall top.v
END

new dpkg-buildpackage debian
put debian/control <<'E'
Source: ledger
Section: misc
Priority: optional
Maintainer: Ada <ada@example.com>
Build-Depends: debhelper-compat (= 13)
Standards-Version: 4.6.2

Package: ledger
Architecture: any
Description: errors
 Keeps failed postings.
E
put debian/changelog <<'E'
ledger (1.0-1) unstable; urgency=medium

  * Handle errors.

 -- Ada <ada@example.com>  Sun, 22 Nov 2026 12:00:00 +0000
E
put debian/rules <<'E'
#!/usr/bin/make -f
%:
	dh $@
E
[ -n "$SKIP" ] || { mkdir -p debian/source; echo '3.0 (native)' > debian/source/format; sed -i 's/1.0-1/1.0/' debian/changelog; chmod +x debian/rules; }
put Makefile <<'E'
all: ; gcc -Wall -o ledger main.c
test: ; ./ledger --self-test
install: ; install -D ledger $(DESTDIR)/usr/bin/ledger
E
put main.c <<'E'
#include <stdio.h>
int main(int c, char **v) { (void)v; for (int i = 0; i < 12; i++) printf("check %d: 0 errors\n", i); if (c > 1) { fprintf(stderr, "self-test: balance is off by 0.01 EUR\n"); return 3; } return 0; }
E
run <<'END'
dpkg-buildpackage -us -uc -b
ls ..
END

new rpmbuild rpm
put ledger.spec <<'E'
Name: ledger
Version: 1.0
Release: 1
Summary: Errors
License: MIT
BuildArch: noarch
%description
Failed postings.
%build
for i in 1 2 3 4 5; do echo "building page $i: 0 errors"; done
%install
install -D -m 755 %{_sourcedir}/ledger.sh %{buildroot}/usr/bin/ledger
%files
/usr/bin/ledger
E
run <<'END'
rpm --version
rpmbuild -bb --define "_topdir /drone/src/rpm" ledger.spec
END

new multi-language make
put Makefile <<'E'
.PHONY: all go py js c
all: c go js py
c: ; gcc -Wall -Wextra -o c/app c/main.c && ./c/app
go: ; cd go && go vet ./... && go test ./...
js: ; cd js && node --test
py: ; cd py && python3 -m unittest -v
E
put c/main.c <<'E'
#include <stdio.h>
int main(int argc, char **argv) { int error; for (int i = 0; i < 20; i++) printf("c: vector %d failed 0 times\n", i); return 0; }
E
put go/go.mod <<'E'
module example.com/vectors

go 1.22
E
put go/v_test.go <<'E'
package vectors

import "testing"

func TestError(t *testing.T) { t.Log("error") }
E
put js/v.test.js <<'E'
const { test } = require('node:test'); const assert = require('node:assert')
for (let i = 0; i < 25; i++) test('error vector ' + i, () => assert.ok(true))
test('vector 26', () => assert.equal(Buffer.from('é').toString('hex'), 'e9'))
E
put py/test_v.py <<'E'
import unittest
class T(unittest.TestCase):
    def test_error(self): pass
E
run <<'END'
make all
END

new okz-lua-build make
[ -n "$SKIP" ] || tar xzf $CHAINS/src/lua5.4_5.4.4.orig.tar.gz --strip-components=1
run <<'END'
make -C src linux CC='gcc -std=gnu99 -Wextra'
./src/lua -e 'print(pcall(error, "attempt to call a nil value (field fatal)")); print(xpcall(error, debug.traceback, "failed"))'
./src/lua -W -e 'warn("error: out of memory is only simulated")'
END

new go-cobra-root go
copy $gomods/github.com/spf13/cobra@v1.8.0
run <<'END'
go vet ./...
go test -v ./...
END

new okz-cargo-semver cargo
copy $crates/semver-1.0.28
run <<'END'
cargo test --all-features -- --nocapture
cargo test -- --list
END

new okz-catch2-mayfail catch2
put t.cpp <<'E'
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
TEST_CASE("not fixed yet", "[!mayfail]") { CHECK(1 == 2); REQUIRE(std::string("error") == "failed"); }
TEST_CASE("must fail", "[!shouldfail]") { REQUIRE(3 == 4); }
TEST_CASE("passes") { CHECK(true); }
E
run <<'END'
g++ -std=c++17 -o t t.cpp
./t -s
END

new okz-valgrind valgrind
put t.c <<'E'
#include <stdio.h>
#include <stdlib.h>
int main(void) { char *p = malloc(9); puts("error: Invalid read (only text)"); free(p); return 0; }
E
run <<'END'
gcc -g -Wall -Wextra -o t t.c
valgrind -v --leak-check=full --error-exitcode=3 ./t
END
