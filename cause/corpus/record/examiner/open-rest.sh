. "$(dirname "$0")/lib.sh"

new meter-go-vet go
put go.mod <<'E'
module example.com/meter

go 1.22
E
put meter.go <<'E'
package meter

import (
	"fmt"
	"log"
)

type Reading struct {
	KWh   int
	Error string
}

func Describe(r Reading) string { return fmt.Sprintf("%d kWh", r.KWh) }

func Report(r Reading) {
	log.Printf("error state: %q", r.Error)
	log.Printf("used %s kWh", r.KWh)
}
E
put meter_test.go <<'E'
package meter

import "testing"

func TestDescribe(t *testing.T) {
	if got := Describe(Reading{KWh: 3}); got != "3 kWh" {
		t.Errorf("got %q", got)
	}
	Report(Reading{Error: "none"})
}
E
put cmd/show/main.go <<'E'
package main

import "example.com/meter"

func main() { println(meter.Describe(meter.Reading{KWh: 1})) }
E
run <<'E'
go version
go build ./...
go run ./cmd/show
go vet ./...
go test ./...
E

new lottery-go-race go
put go.mod <<'E'
module example.com/lottery

go 1.22
E
put draw/draw.go <<'E'
package draw

import "sync"

type Drum struct{ seen map[int]bool }

func (d *Drum) Fill(n int) {
	var wg sync.WaitGroup
	total := 0
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); total += i }()
	}
	wg.Wait()
	d.seen = map[int]bool{total: true}
}
E
put draw/draw_test.go <<'E'
package draw

import "testing"

func TestFill(t *testing.T) {
	d := &Drum{}
	d.Fill(8)
	if len(d.seen) != 1 {
		t.Fatal("no total")
	}
}
func TestEmpty(t *testing.T) { t.Log("error: drum is empty (expected)") }
E
put tickets/tickets_test.go <<'E'
package tickets

import "testing"

func TestNothing(t *testing.T) {}
E
run <<'E'
go test -race -count=1 -v ./...
E

new cinema-go-mod-tidy go
put go.mod <<'E'
module example.com/cinema

go 1.22

require github.com/google/uuid v1.6.0
E
put main.go <<'E'
package main

import (
	"fmt"

	"github.com/google/uuid"
)

func main() { fmt.Println(uuid.Nil) }
E
[ -n "$SKIP" ] || { go mod tidy 2>/dev/null; sed -i 's/^require.*/require (\n\tgithub.com\/google\/uuid v1.6.0\n\tgithub.com\/pkg\/errors v0.9.1\n)/' go.mod; }; commit
run <<'E'
go mod download
go mod tidy -diff
go build -o /dev/null .
E

new library-go-json go
put go.mod <<'E'
module example.com/library

go 1.22
E
put shelf/shelf.go <<'E'
package shelf

type Book struct {
	Title string
	Tags  []string
}

func ByTag(books []Book) map[string][]string {
	var m map[string][]string
	for _, b := range books {
		for _, t := range b.Tags {
			m[t] = append(m[t], b.Title)
		}
	}
	return m
}
E
put shelf/shelf_test.go <<'E'
package shelf

import "testing"

func TestNone(t *testing.T) {
	if len(ByTag(nil)) != 0 {
		t.Fail()
	}
}
func TestByTag(t *testing.T) {
	m := ByTag([]Book{{"Momo", []string{"time"}}})
	if len(m["time"]) != 1 {
		t.Fatalf("m = %v", m)
	}
}
E
put loan/loan_test.go <<'E'
package loan

import "testing"

func TestLoan(t *testing.T) { t.Log("ok") }
E
run <<'E'
gofmt -l .
go test -cover ./...
E

new bakery-cargo-workspace cargo
put Cargo.toml <<'E'
[workspace]
members = ["dough", "oven", "shop"]
resolver = "2"
E
put dough/Cargo.toml <<'E'
[package]
name = "dough"
version = "0.4.0"
edition = "2021"
E
put dough/src/lib.rs <<'E'
#[derive(Debug, Clone, PartialEq)]
pub enum Error { TooWet(u32), TooDry }
pub fn mix(flour: u32, water: u32) -> Result<u32, Error> {
    let unused = 1;
    match water * 100 / flour { r if r > 90 => Err(Error::TooWet(r)), r if r < 50 => Err(Error::TooDry), r => Ok(r) }
}
#[cfg(test)]
mod tests {
    use super::*;
    #[test] fn error_when_wet() { assert_eq!(mix(100, 95), Err(Error::TooWet(95))); }
    #[test] fn good() { assert_eq!(mix(100, 70), Ok(70)); }
}
E
put oven/Cargo.toml <<'E'
[package]
name = "oven"
version = "0.4.0"
edition = "2021"
[dependencies]
dough = { path = "../dough" }
E
put oven/src/lib.rs <<'E'
pub fn bake(flour: u32, water: u32, minutes: u32) -> Result<String, dough::Error> {
    let h = dough::mix(flour, water)?;
    Ok(format!("{h}% for {minutes} min"))
}
pub fn crust(minutes: u32) -> u32 { minutes.saturating_sub(20) / 5 }
#[cfg(test)]
mod tests {
    use super::*;
    #[test] fn bakes() { assert_eq!(bake(100, 70, 40).unwrap(), "70% for 40 min"); }
    #[test] fn crust_grows() { assert_eq!(crust(45), 6, "after 45 minutes"); }
    #[test] fn passes_errors_on() { assert!(bake(100, 10, 5).is_err()); }
}
E
put shop/Cargo.toml <<'E'
[package]
name = "shop"
version = "0.4.0"
edition = "2021"
[dependencies]
oven = { path = "../oven" }
E
put shop/src/main.rs <<'E'
fn main() { println!("{:?}", oven::bake(100, 60, 35)); }
E
run <<'E'
cargo build --workspace
cargo test --workspace --quiet
E

new harbor-rustc-lifetime cargo
put Cargo.toml <<'E'
[package]
name = "harbor"
version = "2.0.0"
edition = "2021"
[dependencies]
itoa = "1"
E
put src/main.rs <<'E'
mod berth;
fn main() {
    let ships = vec![String::from("Anna"), String::from("Bela")];
    println!("{}", berth::longest(&ships));
}
E
put src/berth.rs <<'E'
#[allow(unused)]
pub fn number(n: u32) -> String { let mut b = itoa::Buffer::new(); b.format(n).to_owned() }
fn spare() {}
pub fn longest(ships: &[String]) -> &str {
    let names: Vec<String> = ships.iter().map(|s| s.to_lowercase()).collect();
    names.iter().max_by_key(|n| n.len()).map(|n| n.as_str()).unwrap_or("")
}
E
run <<'E'
cargo fetch
cargo fmt --version
cargo build --release --color always
E

new pump-clippy cargo
put Cargo.toml <<'E'
[package]
name = "pump"
version = "0.1.0"
edition = "2021"
E
put src/lib.rs <<'E'
/// Litres per minute at a setting.
pub fn flow(setting: usize) -> u32 {
    let table = vec![0, 12, 30, 55];
    if table.len() == 0 { return 0; }
    return table[setting];
}
#[cfg(test)]
mod tests {
    #[test]
    fn at_two() { assert_eq!(super::flow(2), 30); }
}
E
run <<'E'
cargo test -q
cargo clippy -q --all-targets -- -D warnings
E

new lamp-make-header make
put Makefile <<'E'
CFLAGS = -Wall -Wextra -O2
OBJS = build/main.o build/dimmer.o build/bus.o
lamp: $(OBJS)
	$(CC) -o $@ $^
build/%.o: src/%.c | build
	$(CC) $(CFLAGS) -c -o $@ $<
build:
	mkdir -p build
E
put src/main.c <<'E'
#include <stdio.h>
#include "dimmer.h"
int main(void) { int unused; printf("%d\n", dim(40)); return 0; }
E
put src/dimmer.h <<'E'
int dim(int percent);
E
put src/dimmer.c <<'E'
#include "dimmer.h"
int dim(int percent) { char level = percent * 2.55; return level; }
E
put src/bus.c <<'E'
#include <stdint.h>
#include <modbus/modbus.h>
int bus_error(modbus_t *m) { return modbus_connect(m); }
E
run <<'E'
cc --version
make
./lamp
E

new robot-ctest cmake
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.16)
project(robot CXX)
enable_testing()
add_library(arm arm.cpp)
foreach(t reach grip limits)
  add_executable(test_${t} test_${t}.cpp)
  target_link_libraries(test_${t} arm)
  add_test(NAME ${t} COMMAND test_${t})
endforeach()
E
put arm.cpp <<'E'
#include <cmath>
double reach(double a, double b) { return std::sqrt(a * a + b * b); }
int grip(int force) { return force > 50 ? 50 : force; }
E
put test_reach.cpp <<'E'
#include <iostream>
double reach(double, double);
int main() { std::cerr << "[error-model] 0 errors injected\n"; return reach(3, 4) == 5 ? 0 : 1; }
E
put test_grip.cpp <<'E'
#include <cassert>
int grip(int);
int main() { assert(grip(20) == 20); assert(grip(80) == 45); }
E
put test_limits.cpp <<'E'
int main() {}
E
run <<'E'
cmake -S . -B out -G Ninja
cmake --build out
ctest --test-dir out --output-on-failure
E

new signal-ninja-undefined ninja
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.16)
project(signal C)
add_compile_options(-Wall)
add_library(filter STATIC filter.c window.c)
add_executable(analyse main.c)
target_link_libraries(analyse filter)
E
put filter.c <<'E'
#include <math.h>
double window_at(int n, int i);
double filtered(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * window_at(n, i); return sqrt(s); }
E
put window.c <<'E'
#include <math.h>
double window_at(int n, int i) { int unused_error = 0; return 0.5 - 0.5 * cos(6.283185 * i / n); }
E
put main.c <<'E'
#include <stdio.h>
double filtered(const double *x, int n);
int main(int argc, char **argv) { double x[] = {1, 2, argc}; printf("%f\n", filtered(x, 3)); }
E
run <<'E'
cmake -B build -G Ninja -Wno-dev
ninja -C build -v
E

new tickets-mvn-junit maven
put pom.xml <<'E'
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>com.example</groupId><artifactId>tickets</artifactId><version>1.4-SNAPSHOT</version>
<properties><maven.compiler.release>17</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin></plugins></build></project>
E
put src/main/java/tickets/Seat.java <<'E'
package tickets;
public record Seat(char row, int number) {
  public static Seat parse(String s) { return new Seat(s.charAt(0), Integer.parseInt(s.substring(1))); }
}
E
put src/test/java/tickets/SeatTest.java <<'E'
package tickets;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class SeatTest {
  @Test void parses() { assertEquals(new Seat('B', 12), Seat.parse("B12")); }
  @Test void refusesNonsense() { System.err.println("ERROR: seat ? refused"); assertThrows(NumberFormatException.class, () -> Seat.parse("B?")); }
  @Test void toleratesBlanks() { assertEquals(new Seat('C', 7), Seat.parse("C 7")); }
}
E
run <<'E'
mvn -B -ntp -q dependency:go-offline
mvn -B -ntp verify
E

new planner-gradle-compile gradle
put settings.gradle <<'E'
rootProject.name = 'planner'
include 'core', 'app'
E
put core/build.gradle <<'E'
apply plugin: 'java'
E
put core/src/main/java/core/Task.java <<'E'
package core;
import java.util.*;
public class Task {
  public final String name; public final List tags = new ArrayList();
  public Task(String name) { this.name = name; tags.add("error"); }
}
E
put app/build.gradle <<'E'
apply plugin: 'java'
dependencies { compile project(':core') }
E
put app/src/main/java/app/Main.java <<'E'
package app;
import core.Task;
public class Main {
  public static void main(String[] a) {
    Task t = new Task("plan");
    String due = t.due();
    System.out.println(t.name + due);
  }
}
E
run <<'E'
gradle --version
gradle --no-daemon --console=plain build
E

new legacy-javac-run java
put src/acme/Parser.java <<'E'
package acme;
import java.util.*;
public class Parser {
  static Map<String, Integer> parse(List<String> lines) {
    Map<String, Integer> m = new TreeMap<>();
    for (String l : lines) { String[] p = l.split("="); m.put(p[0], Integer.valueOf(p[1])); }
    return m;
  }
  public static void main(String[] a) throws Exception {
    System.out.println("reading " + a[0]);
    try { System.out.println(parse(java.nio.file.Files.readAllLines(java.nio.file.Path.of(a[0])))); }
    catch (RuntimeException e) { throw new IllegalStateException("cannot read " + a[0], e); }
  }
}
E
put good.properties <<'E'
a=1
b=2
E
put conf/live.properties <<'E'
retries=3
timeout=30s
E
run <<'E'
mkdir -p classes
javac -Xlint:all -d classes src/acme/Parser.java
java -cp classes acme.Parser good.properties
java -cp classes acme.Parser conf/live.properties
E

new merge-marker-build git
put app.py <<'E'
LIMIT = 10
def allowed(n): return n < LIMIT
E
commit
[ -n "$SKIP" ] || { git checkout -q -b feature; sed -i 's/10/25/' app.py; git commit -qam 'Raise the limit'; git checkout -q main; sed -i 's/10/12/' app.py; git commit -qam 'Twelve'; git checkout -q feature; }
run <<'E'
git fetch --depth=50 . main
git log --oneline --all
git merge --no-edit main
python app.py
E

new deploy-rsync-ssh ssh
put deploy.sh <<'E'
#!/bin/sh
set -eu
target=${1:?usage: deploy.sh HOST}
echo "==> packing release"
mkdir -p dist && tar czf dist/site.tgz public
ls dist
echo "==> checking errors in public/"
grep -rc error public || true
echo "==> copying to $target"
rsync -az -e 'ssh -o BatchMode=yes -o ConnectTimeout=3 -p 43902' dist/site.tgz deploy@$target:/srv/site/
echo "==> done"
E
put public/index.html <<'E'
<h1>No errors</h1>
E
run <<'E'
sh deploy.sh 127.0.0.1
E

new backup-tmpfs-quota shell
put backup.sh <<'E'
set -e
mkdir -p /tmp/exam/vault && mount -t tmpfs -o size=2m tmpfs /tmp/exam/vault
trap 'echo "cleaning up"; umount /tmp/exam/vault; echo "backup ended with status $?"' EXIT
for part in users orders invoices; do
  echo "dumping $part"
  head -c 1048576 /dev/urandom > $part.dump
  gzip -c $part.dump > /tmp/exam/vault/$part.gz
done
echo complete
E
run <<'E'
bash backup.sh
E

new docs-set-u-chain shell
put build-docs.sh <<'E'
#!/usr/bin/env bash
set -euo pipefail
render() { sed 's/^# \(.*\)/<h1>\1<\/h1>/' "$1"; }
mkdir -p site
for f in docs/*.md; do echo "render $f"; render "$f" > "site/$(basename "$f" .md).html"; done
echo "0 errors, 0 warnings"
echo "publishing to $DOCS_BUCKET"
E
many 5 docs/page@.md <<'E'
# Page @
An error is explained here.
E
run <<'E'
chmod +x build-docs.sh
./build-docs.sh
E

new release-missing-tool shell
put Makefile <<'E'
VERSION := 2.3.1
dist: archive checksum sign
archive:
	@mkdir -p dist && tar -cf dist/app-$(VERSION).tar src
	@echo "archived"
checksum:
	@cd dist && sha256sum app-$(VERSION).tar > SHA256SUMS && cat SHA256SUMS
sign:
	@echo "signing"
	minisign -Sm dist/SHA256SUMS
E
put src/a.txt <<'E'
a
E
run <<'E'
make dist
ls dist
E

new festival-psql-unique psql
put schema.sql <<'E'
create table bands (id int primary key, name text not null);
create table shows (id int primary key, band int references bands(id), starts timestamptz);
insert into bands values (1, 'Error 404'), (2, 'Die Fehler');
insert into shows values (1, 1, '2026-06-01 20:00'), (2, 2, '2026-06-01 22:00');
E
put 002.sql <<'E'
drop table if exists old_shows;
alter table shows add column stage text;
update shows set stage = 'main';
alter table shows alter column stage set not null;
insert into shows values (3, 7, '2026-06-02 20:00', 'tent');
create index on shows (stage);
E
[ -n "$SKIP" ] || { [ -d /tmp/exam/pg/base ] || { mkdir -p /tmp/exam/pg; chown nobody /tmp/exam/pg; setpriv --reuid=nobody initdb -A trust -U postgres -D /tmp/exam/pg > /dev/null; }
  setpriv --reuid=nobody pg_ctl -D /tmp/exam/pg -o '-p 54329 -k /tmp' -l /tmp/exam/pg/log -w start > /dev/null; }
run <<'E'
export PGHOST=127.0.0.1 PGPORT=54329 PGUSER=postgres
psql -c 'create database festival'
psql -v ON_ERROR_STOP=1 -d festival -f schema.sql
psql -v ON_ERROR_STOP=1 -d festival -f 002.sql
psql -d festival -c 'table shows'
E
[ -n "$SKIP" ] || psql -h 127.0.0.1 -p 54329 -U postgres -qc 'drop database if exists festival'

new image-busybox-copy docker
put Dockerfile <<'E'
FROM scratch AS base
COPY busybox /bin/busybox
RUN ["/bin/busybox", "--install", "-s", "/bin"]
FROM base AS build
WORKDIR /src
COPY build.sh .
RUN sh build.sh
FROM base
COPY --from=build /src/out/app /usr/bin/app
CMD ["app"]
E
put build.sh <<'E'
mkdir -p out
echo 'compiling 12 files, 0 errors'
printf '#!/bin/sh\necho app\n' > out/server
E
[ -n "$SKIP" ] || cp /bin/busybox .
run <<'E'
docker build --no-cache -t shop/app:ci .
docker run --rm --network none shop/app:ci
E

new search-compose-unhealthy docker
put docker-compose.yml <<'E'
version: "2.4"
services:
  index:
    image: exam/base
    network_mode: none
    command: ["sh", "-c", "echo index starts; sleep 1; echo 'error: no snapshot found, starting empty'; sleep 60"]
    healthcheck: { test: ["CMD", "test", "-f", "/ready"], interval: 1s, retries: 3 }
  api:
    image: exam/base
    network_mode: none
    command: sh -c "echo api"
    depends_on: { index: { condition: service_healthy } }
E
[ -n "$SKIP" ] || { cp /bin/busybox .; printf 'FROM scratch\nCOPY busybox /bin/busybox\nRUN ["/bin/busybox", "--install", "-s", "/bin"]\n' | docker build -q -t exam/base -f - . > /dev/null; }
run <<'E'
docker-compose --ansi never config -q
docker-compose --ansi never up -d || { docker-compose --ansi never logs --no-color; docker-compose --ansi never down -t 1; exit 1; }
E

