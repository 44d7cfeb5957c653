PART=sealed; . "$(dirname "$0")/lib.sh"
gomod() { [ -n "$SKIP" ] || printf 'module example.com/%s\n\ngo %s\n' "${NAME%%-*}" "${1:-1.22}" > go.mod; }
crate() { [ -n "$SKIP" ] || { local n=${1:-.}; [ "$n" != . ] || n=${NAME%%-*}; mkdir -p "${1:-.}/src"; printf '[package]\nname = "%s"\nversion = "0.2.0"\nedition = "2021"\n%b\n' "$n" "${2:-}" > "${1:-.}/Cargo.toml"; }; }

new amber-go-unused-import go
gomod
put main.go <<'E'
package main

import (
	"errors"
	"fmt"
	"os"
)

var ErrNone = errors.New("no error at all")

func main() {
	limit := 3
	fmt.Println(ErrNone)
}
E
put internal/conv/conv.go <<'E'
package conv

func Double(n int) int { return n * 2 }
E
put internal/conv/conv_test.go <<'E'
package conv

import "testing"

func TestDouble(t *testing.T) {
	if Double(2) != 4 {
		t.Error("wrong")
	}
}
E
run <<'E'
go mod verify
go test ./internal/...
go install ./...
E

new basalt-go-interface go
gomod
put store/store.go <<'E'
package store

type Store interface {
	Get(key string) (string, error)
	Put(key, value string) error
	Close() error
}
E
put mem/mem.go <<'E'
package mem

import "example.com/basalt/store"

type Mem map[string]string

func (m Mem) Get(k string) (string, error) { return m[k], nil }
func (m Mem) Put(k, v string)              { m[k] = v }
func (m Mem) Close() error                 { return nil }

func New() store.Store { return Mem{} }
E
put store/store_test.go <<'E'
package store

import "testing"

func TestError(t *testing.T) {}
E
run <<'E'
go test -v ./...
E

new cobalt-go-handler-nil go
gomod
put srv.go <<'E'
package cobalt

import (
	"fmt"
	"log"
	"net/http"
)

type DB struct{ name string }

func (d *DB) Name() string { return d.name }

type Server struct{ db *DB }

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	log.Printf("%s %s", r.Method, r.URL)
	if r.URL.Path == "/error" {
		http.Error(w, "error page", 500)
		return
	}
	fmt.Fprintln(w, s.db.Name())
}
E
put srv_test.go <<'E'
package cobalt

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestErrorPage(t *testing.T) {
	rec := httptest.NewRecorder()
	(&Server{}).ServeHTTP(rec, httptest.NewRequest("GET", "/error", nil))
	if rec.Code != 500 {
		t.Fatal(rec.Code)
	}
}
func TestName(t *testing.T) {
	ts := httptest.NewServer(&Server{})
	defer ts.Close()
	res, err := http.Get(ts.URL + "/name")
	if err != nil {
		t.Fatalf("GET /name: %v", err)
	}
	b, _ := io.ReadAll(res.Body)
	if string(b) != "main\n" {
		t.Errorf("body %q", b)
	}
}
E
run <<'E'
go vet .
go test -count=1 .
E

new dolomite-go-golden go
gomod
put render.go <<'E'
package dolomite

import "strings"

func Render(rows [][2]string) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(r[0] + ": " + r[1] + "\n")
	}
	return b.String()
}
E
put testdata/report.golden <<'E'
status: ok
errors: 0
E
put render_test.go <<'E'
package dolomite

import (
	"os"
	"testing"
)

func TestRender(t *testing.T) {
	for _, c := range []struct {
		name string
		rows [][2]string
	}{
		{"report", [][2]string{{"status", "ok"}, {"errors", "none"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, err := os.ReadFile("testdata/" + c.name + ".golden")
			if err != nil {
				t.Fatal(err)
			}
			if got := Render(c.rows); got != string(want) {
				t.Errorf("output differs from testdata/%s.golden (run with -update to accept)\n--- got\n%s--- want\n%s", c.name, got, want)
			}
		})
	}
}
func BenchmarkRender(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Render([][2]string{{"a", "b"}})
	}
}
E
run <<'E'
go test -bench . -run xxx -benchtime 10x
go test -v -shuffle=1 ./...
E

new emerald-go-checksum go
gomod
put go.sum <<'E'
github.com/google/uuid v1.6.0 h1:AAAADMOsjHA8n1jAhLSgzrAzy1Hgr+hNrb57e+94F0=
github.com/google/uuid v1.6.0/go.mod h1:TIyPZe4MgqvfeYDBFedMoGGpEw/LqOeaOT+nhxU+yHo=
E
[ -n "$SKIP" ] || { echo 'require github.com/google/uuid v1.6.0' >> go.mod; sed -i 's/h1:AAAADMO/h1:NIvaJDMO/; s/F0=$/F1=/' go.sum; }
put main.go <<'E'
package main

import "github.com/google/uuid"

func main() { println(uuid.Nil.String()) }
E
run <<'E'
export GOFLAGS=-mod=mod
go env GOVERSION
GOMODCACHE=/tmp/exam/gomod-emerald go build ./...
E

new flint-go-inconsistent-vendor go
gomod
[ -n "$SKIP" ] || { echo 'require github.com/pkg/errors v0.9.1' >> go.mod; printf 'package main\n\nimport "github.com/pkg/errors"\n\nfunc main() { println(errors.New("x").Error()) }\n' > main.go; go mod tidy 2>/dev/null; go mod vendor 2>/dev/null; sed -i 's/v0.9.1/v0.9.0/' go.mod; }
run <<'E'
ls vendor
go build -mod=vendor -o app .
./app
E

new granite-go-testmain go
gomod
put granite_test.go <<'E'
package granite

import (
	"fmt"
	"log"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	fmt.Println("setting up test database")
	if os.Getenv("TEST_DSN") == "" {
		log.Fatal("TEST_DSN is not set, cannot run the integration tests")
	}
	os.Exit(m.Run())
}
func TestErrors(t *testing.T) {}
E
put unit/unit_test.go <<'E'
package unit

import "testing"

func TestUnit(t *testing.T) {}
E
run <<'E'
go test ./unit
go test ./...
E

new hematite-go-context-deadline go
gomod
put poll_test.go <<'E'
package hematite

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

func poll(ctx context.Context, url string) error {
	t := time.NewTicker(20 * time.Millisecond)
	defer t.Stop()
	for i := 1; ; i++ {
		select {
		case <-ctx.Done():
			return fmt.Errorf("job %s not finished after %d polls: %w", url, i, ctx.Err())
		case <-t.C:
		}
	}
}
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := poll(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	t.Log("got error as expected: context canceled")
}
func TestPoll(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 110*time.Millisecond)
	defer cancel()
	if err := poll(ctx, "import-7"); err != nil {
		t.Fatal("poll:", err)
	}
}
E
put report/main.go <<'E'
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	s := bufio.NewScanner(os.Stdin)
	n := 0
	for s.Scan() {
		var e struct{ Action, Test, Output string }
		if json.Unmarshal(s.Bytes(), &e) == nil && e.Action == "output" {
			fmt.Print(e.Output)
			n++
		}
	}
	fmt.Printf("%d events, see out.json\n", n)
}
E
run <<'E'
go test -v -json . > out.json || { go run ./report < out.json; exit 1; }
E

new jasper-go-run-fatal go
gomod
put cmd/seed/main.go <<'E'
package main

import (
	"encoding/json"
	"log"
	"os"
)

type Station struct {
	Name     string
	Altitude int
}

func main() {
	log.SetFlags(log.Ltime)
	for _, f := range os.Args[1:] {
		b, err := os.ReadFile(f)
		if err != nil {
			log.Printf("warning: %v, skipped", err)
			continue
		}
		var s []Station
		if err := json.Unmarshal(b, &s); err != nil {
			log.Fatalf("%s: %v", f, err)
		}
		log.Printf("%s: %d stations, 0 errors", f, len(s))
	}
}
E
put a.json <<'E'
[{"Name":"Säntis","Altitude":2502}]
E
put c.json <<'E'
[{"Name":"Titlis","Altitude":"3238 m"}]
E
run <<'E'
go run ./cmd/seed a.json b.json
go run ./cmd/seed a.json b.json c.json
E

new kyanite-gofmt-diff go
gomod
put a.go <<'E'
package kyanite

// Errors counts.
func Errors() int { return 0 }
E
put b.go <<'E'
package kyanite

type pair struct {
	a int
	long string
}
func sum(xs []int)(n int) { for _,x:=range xs { n+=x }; return }
E
run <<'E'
go build ./...
test -z "$(gofmt -l .)" || { echo "these files are not formatted:"; gofmt -l .; gofmt -d .; exit 1; }
E

new limestone-go-work go
put go.work <<'E'
go 1.22

use (
	./api
	./worker
)
E
put api/go.mod <<'E'
module example.com/limestone/api

go 1.22
E
put api/main.go <<'E'
package main

func main() {}
E
run <<'E'
go version
cd api && go build ./...
E

new alder-cargo-mismatched cargo
crate . '[dependencies]\n'
put src/lib.rs <<'E'
use std::collections::HashMap;
pub mod index;
pub fn tally(words: &[&str]) -> HashMap<String, usize> {
    let mut m = HashMap::new();
    for w in words { *m.entry(w.to_string()).or_insert(0) += 1; }
    m
}
E
put src/index.rs <<'E'
use crate::tally;
pub fn errors(lines: &[&str]) -> u32 {
    let mut dead = 0;
    let n = tally(lines).get("error").copied().unwrap_or(0);
    n
}
E
run <<'E'
cargo check
cargo test
E

new birch-cargo-trait-bound cargo
crate
put src/main.rs <<'E'
use std::collections::BTreeMap;
#[derive(Debug, PartialEq, Eq)]
enum Level { Low, High }
#[derive(Debug)]
struct Error { code: i32 }
fn main() {
    let mut by_level: BTreeMap<Level, Vec<Error>> = BTreeMap::new();
    by_level.entry(Level::Low).or_default().push(Error { code: 1 });
    println!("{by_level:?}");
}
E
run <<'E'
cargo --version
cargo build --message-format short
E

new cedar-cargo-should-panic cargo
crate
put src/lib.rs <<'E'
pub fn divide(a: i32, b: i32) -> i32 { a.checked_div(b).unwrap_or(0) }
pub fn parse(s: &str) -> i32 { s.parse().expect("a number") }
#[cfg(test)]
mod tests {
    use super::*;
    #[test] fn divides() { assert_eq!(divide(6, 3), 2); }
    #[test] #[should_panic(expected = "a number")] fn refuses_text() { parse("error"); }
    #[test] #[should_panic] fn panics_on_zero() { divide(1, 0); }
    #[test] #[ignore = "slow, error prone"] fn slow() {}
}
E
run <<'E'
cargo test --lib -- --test-threads=1
E

new douglas-cargo-integration cargo
crate
put src/lib.rs <<'E'
use std::{fs, io, path::Path};
pub fn read(p: &Path) -> io::Result<Vec<String>> { Ok(fs::read_to_string(p)?.lines().map(String::from).collect()) }
#[cfg(test)] mod tests { #[test] fn ok() {} }
E
put tests/fixtures.rs <<'E'
use std::path::Path;
#[test]
fn missing_file_is_an_error() { assert!(douglas::read(Path::new("nope.txt")).is_err()); }
#[test]
fn reads_fixture() {
    println!("reading tests/fixtures/rings.txt");
    let lines = douglas::read(Path::new("tests/fixtures/rings.txt")).unwrap();
    assert_eq!(lines.len(), 3);
}
E
put tests/fixture/rings.txt <<'E'
a
E
run <<'E'
cargo build --tests
cargo test --no-fail-fast
E

new elm-cargo-select-version cargo
crate . '[dependencies]\nitoa = "=1.0.4"\nryu = "9.1"'
put src/main.rs <<'E'
fn main() {}
E
run <<'E'
cargo build
E

new fir-cargo-native-lib cargo
crate
put src/main.rs <<'E'
#[link(name = "zstandard_ng")]
extern "C" { fn zng_version() -> u32; }
fn main() { println!("{}", unsafe { zng_version() }); }
E
run <<'E'
cargo check
cargo build -q
E

new ginkgo-cargo-nightly-feature cargo
crate
put src/lib.rs <<'E'
#![feature(let_chains, box_patterns)]
//! Errors and leaves.
pub fn leaf(n: Option<u8>) -> bool { matches!(n, Some(x) if x > 3) }
E
run <<'E'
rustc --version
cargo doc --no-deps
E

new hazel-cargo-own-exit cargo
crate
put src/main.rs <<'E'
use std::process::ExitCode;
fn check(name: &str, text: &str) -> Result<(), String> {
    for (i, l) in text.lines().enumerate() {
        if l.len() > 60 { return Err(format!("{name}:{}: line has {} characters, 60 are allowed", i + 1, l.len())); }
    }
    Ok(())
}
fn main() -> ExitCode {
    let mut code = 0;
    for name in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&name).unwrap_or_default();
        match check(&name, &text) { Ok(()) => println!("ok   {name}"), Err(e) => { println!("long {e}"); code = 4; } }
    }
    println!("checked for errors: done");
    ExitCode::from(code)
}
E
put a.md <<'E'
# Errors
E
put b.md <<'E'
# Trees
Hazel trees are known for their error-free growth, even in the deepest shade of the wood.
E
put c.md <<'E'
fine
E
run <<'E'
cargo run -q -- a.md c.md
cargo run -q -- a.md b.md c.md
E

new juniper-cargo-private cargo
[ -n "$SKIP" ] || printf '[workspace]\nmembers = ["berry", "gin"]\nresolver = "2"\n' > Cargo.toml
crate berry; crate gin '[dependencies]\nberry = { path = "../berry" }'
put berry/src/lib.rs <<'E'
pub struct Berry { pub colour: u8, ripe: bool }
impl Berry { pub fn new(colour: u8) -> Self { Berry { colour, ripe: false } } fn error_rate(&self) -> f32 { if self.ripe { 0.0 } else { 0.5 } } }
E
put gin/src/main.rs <<'E'
use berry::Berry;
fn main() {
    let b = Berry::new(3);
    println!("{} {}", b.colour, b.ripe);
}
E
run <<'E'
cargo metadata --format-version 1 --no-deps > /dev/null
cargo build --workspace --all-targets
E
