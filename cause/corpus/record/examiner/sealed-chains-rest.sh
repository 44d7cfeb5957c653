PART=sealed; . "$(dirname "$0")/lib.sh"
pg() { [ -n "$SKIP" ] || psql -h 127.0.0.1 -p 54329 -U postgres -q "$@"; }
image() { [ -n "$SKIP" ] || docker image inspect exam/base > /dev/null 2>&1 || { cp /bin/busybox .; printf 'FROM scratch\nCOPY busybox /bin/busybox\nRUN ["/bin/busybox", "--install", "-s", "/bin"]\n' | docker build -q -t exam/base -f - . > /dev/null; rm busybox; }; }

new larch-psql-many-migrations psql
many 24 sql/@.sql <<'E'
create table t@ (id int primary key, error text);
comment on table t@ is 'table @';
E
put sql/19.sql <<'E'
create table t19 (id int primary key, parent int references t18(id));
alter table t12 add constraint t12_error_unique uniqe (error);
E
put migrate.sh <<'E'
set -e
for f in $(ls sql | sort -n); do
  echo "-- $f"
  psql -X -q -v ON_ERROR_STOP=1 --single-transaction -d larch -f sql/$f
done
echo "all migrations applied"
E
pg -c 'drop database if exists larch' -c 'create database larch'
run <<'E'
export PGHOST=127.0.0.1 PGPORT=54329 PGUSER=postgres
psql --version
sh migrate.sh
E

new maple-psql-role psql
run <<'E'
export PGHOST=127.0.0.1 PGPORT=54329
pg_isready
psql -U maple_ci -d postgres -c 'select 1'
E

new nettle-psql-timeout psql
put backfill.sql <<'E'
\timing on
set statement_timeout = '400ms';
create temp table events as select g as id, 'error ' || g as text from generate_series(1, 1000) g;
select count(*) from events where text like 'error 9%';
update events set text = upper(text) where pg_sleep(0.002) is not null;
select 'backfill finished';
E
run <<'E'
psql -h 127.0.0.1 -p 54329 -U postgres -v ON_ERROR_STOP=on -f backfill.sql
E

new oak-pg-not-null python
put requirements.txt <<'E'
psycopg[binary]==3.2.10
E
put seed.py <<'E'
import csv, logging, psycopg
logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(message)s")
with psycopg.connect("host=127.0.0.1 port=54329 user=postgres") as c:
    c.execute("create temp table trees (id int primary key, name text not null, height numeric)")
    for i, row in enumerate(csv.DictReader(open("trees.csv")), 1):
        if not row["height"]: logging.error("row %d: no height, stored as null", i)
        c.execute("insert into trees values (%s, %s, %s)", (row["id"], row["name"] or None, row["height"] or None))
        logging.info("row %d stored", i)
E
put trees.csv <<'E'
id,name,height
1,oak,20
2,ash,
3,,7
E
run <<'E'
python3 -m venv env
env/bin/pip install -q -r requirements.txt
env/bin/python seed.py
E

new pine-docker-run-missing docker
image
put Dockerfile <<'E'
FROM exam/base
WORKDIR /app
COPY . .
RUN echo "lint: 0 errors" && ls -1 /app
RUN npm ci --omit=dev
CMD ["node", "server.js"]
E
put server.js <<'E'
E
run <<'E'
docker version --format '{{.Server.Version}}'
docker build --no-cache -t pine .
docker push pine
E

new rowan-docker-entrypoint docker
image
put Dockerfile <<'E'
FROM exam/base
COPY start.sh /start.sh
ENTRYPOINT ["/start.sh"]
E
[ -n "$SKIP" ] || { printf '#!/bin/bash\necho started\n' > start.sh; chmod +x start.sh; }
run <<'E'
docker build -q -t rowan . > image.txt
docker run --rm --network none -e LOG_LEVEL=error rowan
E

new spruce-compose-tests docker
image
put docker-compose.yml <<'E'
version: "2.4"
services:
  db:
    image: exam/base
    network_mode: none
    command: ["sh", "-c", "echo 'FATAL: role root does not exist (probe, ignored)'; echo 'database system is ready to accept connections'; sleep 5"]
  tests:
    image: exam/base
    network_mode: none
    command: ["sh", "-c", "sleep 1; echo 'ok 1 - connects'; echo 'not ok 2 - stores an order'; echo '#   expected status 201, got 409 (duplicate order number 1007)'; exit 1"]
E
run <<'E'
docker-compose --ansi never up --abort-on-container-exit --exit-code-from tests
docker-compose --ansi never down
E
[ -n "$SKIP" ] || (docker-compose -p src -f docker-compose.yml down -t 0 > /dev/null 2>&1)

new teak-docker-unhealthy docker
image
put wait.sh <<'E'
docker run -d --name teak --network none --health-cmd 'test -s /tmp/ready' --health-interval 1s --health-retries 2 exam/base sh -c 'echo "teak 3.1 starting"; echo "ERROR: cannot open /data/index: No such file or directory"; sleep 60' > /dev/null
trap 'echo "--- docker logs teak"; docker logs teak; docker rm -f teak > /dev/null' EXIT
for i in 1 2 3 4 5 6 7 8; do
  state=$(docker inspect --format '{{.State.Health.Status}}' teak)
  echo "teak is $state"
  [ "$state" = healthy ] && exit 0
  [ "$state" = unhealthy ] && { echo "teak did not become healthy"; exit 1; }
  sleep 1
done
exit 1
E
run <<'E'
sh wait.sh
E

new umber-docker-exit-137 docker
image
put job.sh <<'E'
set -e
echo "job: loading 3 shards"
for s in 1 2 3; do echo "job: shard $s loaded, 0 errors"; done
echo "job: merging"
head -c 90m /dev/zero | tail
echo "job: done"
E
run <<'E'
docker run --rm --network none --memory 24m --memory-swap 24m -i exam/base sh -s < job.sh && echo finished
E

new viburnum-compose-config docker
put docker-compose.yml <<'E'
version: "3.8"
services:
  web:
    image: web:ci
    port: ["8080:80"]
    depend_on: [db]
  db:
    image: postgres:16
    environment: { POSTGRES_PASSWORD: error }
E
run <<'E'
docker-compose version --short
docker-compose config --services
docker-compose up -d
E

new wisteria-etl-long-logs python
put etl.py <<'E'
import logging, random, sys, time
logging.basicConfig(level=logging.DEBUG, stream=sys.stdout, format="%(asctime)s.%(msecs)03d %(levelname)-7s %(name)s | %(message)s", datefmt="%H:%M:%S")
random.seed(3)
log = logging.getLogger("etl.load")
class SchemaError(Exception): pass
def load(i):
    if i % 37 == 0: log.error("batch %d: connection reset, retry 1 of 3", i); log.info("batch %d: retried, ok", i)
    if i % 91 == 0: log.warning("batch %d: 2 rows rejected: ValueError: could not convert string to float: 'n/a'", i)
    log.debug("batch %d: %d rows", i, random.randint(900, 1100))
def main():
    for i in range(1, 401): load(i)
    try:
        row = {"id": 7, "amount": "12,50"}
        float(row["amount"])
    except ValueError as e:
        raise SchemaError(f"batch 401: column amount is not numeric in row {row['id']}") from e
try: main()
except Exception:
    logging.getLogger("etl").critical("load aborted", exc_info=True)
    logging.getLogger("etl").info("closing 4 connections")
    logging.getLogger("etl").info("temporary tables dropped, errors so far: 11")
    sys.exit(2)
E
run <<'E'
python3 etl.py
E

new xylia-deploy-rollback shell
put deploy.sh <<'E'
#!/usr/bin/env bash
set -Eeuo pipefail
step() { printf '\n\033[1m==> %s\033[0m\n' "$1"; }
rollback() { code=$?; step "rolling back"; rm -rf current; ln -s releases/41 current; echo "error page disabled"; echo "now at $(readlink current)"; step "deploy failed (exit $code)"; }
trap rollback ERR
step "prepare release 42"
mkdir -p releases/41 releases/42 && cp app.conf releases/42/
step "link"
ln -sfn releases/42 current && readlink current
step "migrate"
echo "3 migrations pending"; echo "applied 1, 2, 3"
step "check configuration"
python3 -c 'import configparser,sys; c = configparser.ConfigParser(); c.read("current/app.conf"); print("sections:", c.sections()); print("workers:", c.getint("server", "workers"))'
step "restart"
E
put app.conf <<'E'
[server]
workers = auto
[errors]
page = on
E
run <<'E'
bash deploy.sh
E

new yarn-make-werror-long make
put Makefile <<'E'
CFLAGS := -std=gnu11 -O1 -Wall -Wextra -Werror=uninitialized -Werror=return-type
SRC := $(sort $(wildcard src/*.c))
all: $(SRC:.c=.o)
	@echo linked
%.o: %.c
	$(CC) $(CFLAGS) -c -o $@ $<
clean:
	rm -f src/*.o
E
many 90 src/unit_@.c <<'E'
#include <stddef.h>
int unit_@_error(int code, int unused)
{
    size_t i = 0;
    int n = code;
    while (i < n) i++;
    return (int)i;
}
E
put src/unit_73.c <<'E'
int unit_73_error(int code, int unused)
{
    if (code > 3)
        return 1;
}
E
run <<'E'
make clean
make -k CC=gcc
E

new acacia-go-full-step go
put go.mod <<'E'
module example.com/acacia

go 1.23

require golang.org/x/text v0.21.0
E
put plural/plural.go <<'E'
package plural

import (
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

func init() {
	message.Set(language.English, "%d errors", plural.Selectf(1, "%d", "one", "one error", "other", "%[1]d errors"))
}

// Errors says how many.
func Errors(n int) string { return message.NewPrinter(language.English).Sprintf("%d errors", n) }
E
put plural/plural_test.go <<'E'
package plural

import "testing"

func TestErrors(t *testing.T) {
	tests := map[int]string{0: "0 errors", 1: "one error", 2: "2 errors", 1200: "1200 errors"}
	for n, want := range tests {
		if got := Errors(n); got != want {
			t.Errorf("Errors(%d) = %q; want %q", n, got, want)
		}
	}
}
E
put store/store.go <<'E'
package store

// Put stores.
func Put(m map[string]int, k string) { m[k]++ }
E
put store/store_test.go <<'E'
package store

import "testing"

func TestPut(t *testing.T) {
	for _, k := range []string{"a", "b", "error"} {
		t.Run(k, func(t *testing.T) { m := map[string]int{}; Put(m, k); t.Logf("put %s", k) })
	}
}
E
[ -n "$SKIP" ] || go mod tidy 2>/dev/null
run <<'E'
go mod download
go vet ./...
go build ./...
go test -v -cover -covermode=atomic ./...
E

new buckeye-go-coverage-gate go
put go.mod <<'E'
module example.com/buckeye

go 1.22
E
put a.go <<'E'
package buckeye

func Sign(n int) string {
	switch {
	case n > 0:
		return "+"
	case n < 0:
		return "-"
	}
	return "error"
}

func Other(n int) int {
	if n > 2 {
		return n
	}
	return -n
}
E
put a_test.go <<'E'
package buckeye

import "testing"

func TestSign(t *testing.T) {
	if Sign(1) != "+" {
		t.Fail()
	}
}
E
put gate.sh <<'E'
total=$(go tool cover -func=cover.out | awk '/^total:/ { sub("%","",$3); print $3 }')
min=70
awk -v t="$total" -v m="$min" 'BEGIN { exit t >= m ? 0 : 1 }' && echo "coverage $total% is enough" || { echo "coverage $total% is below the required $min%"; exit 1; }
E
run <<'E'
go test -coverprofile=cover.out ./...
go tool cover -func=cover.out
sh gate.sh
E

new catalpa-cargo-pretty-assert cargo
put Cargo.toml <<'E'
[package]
name = "catalpa"
version = "1.1.0"
edition = "2021"
[dependencies]
serde = { version = "1", features = ["derive"] }
serde_json = "1"
[dev-dependencies]
pretty_assertions = "1.4"
E
put src/lib.rs <<'E'
use serde::{Deserialize, Serialize};
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Seed { pub name: String, #[serde(default)] pub errors: Vec<String>, pub grams: f32 }
pub fn load(s: &str) -> serde_json::Result<Vec<Seed>> { serde_json::from_str(s) }
E
put tests/load.rs <<'E'
use catalpa::{load, Seed};
use pretty_assertions::assert_eq;
#[test]
fn rejects_nonsense() { let e = load("[{]").unwrap_err(); println!("got error: {e}"); assert!(e.is_syntax()); }
#[test]
fn loads_seeds() {
    let seeds = load(r#"[{"name":"Pod","grams":0.5},{"name":"Bean","errors":["cracked"],"grams":1.5}]"#).unwrap();
    assert_eq!(seeds, vec![Seed { name: "Pod".into(), errors: vec![], grams: 0.5 }, Seed { name: "Bean".into(), errors: vec![], grams: 1.5 }]);
}
E
run <<'E'
cargo fetch --quiet
cargo build --color never
cargo test --color never
E

new elderberry-mvn-analyze maven
put pom.xml <<'E'
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>com.example</groupId><artifactId>elderberry</artifactId><version>1.0</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>com.google.code.gson</groupId><artifactId>gson</artifactId><version>2.11.0</version></dependency>
<dependency><groupId>org.apache.commons</groupId><artifactId>commons-lang3</artifactId><version>3.14.0</version></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
<plugin><artifactId>maven-dependency-plugin</artifactId><version>3.6.1</version><configuration><failOnWarning>true</failOnWarning></configuration></plugin></plugins></build></project>
E
put src/main/java/e/Json.java <<'E'
package e;
import com.google.gson.Gson;
public class Json { public String error() { return new Gson().toJson("error"); } }
E
run <<'E'
mvn -B -ntp compile
mvn -B -ntp dependency:analyze
E

new fennel-mvn-offline maven
put pom.xml <<'E'
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<parent><groupId>com.example.platform</groupId><artifactId>platform-parent</artifactId><version>7.3.0</version><relativePath/></parent>
<artifactId>fennel</artifactId></project>
E
run <<'E'
java -version
mvn -B -o package
E

new guava-cmake-find-lib cmake
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.16)
project(guava C)
find_package(Threads REQUIRED)
find_package(ZLIB)
if(NOT ZLIB_FOUND)
  message(STATUS "zlib not found, error pages will not be compressed")
endif()
find_library(CODEC_LIB NAMES opusenc PATHS ${CMAKE_SOURCE_DIR}/lib)
add_executable(guava main.c)
target_link_libraries(guava PRIVATE Threads::Threads ${CODEC_LIB})
E
put main.c <<'E'
int main(void) { return 0; }
E
run <<'E'
cmake -B build -Wno-dev
cmake --build build
E

new hops-tox-chain tox
put tox.ini <<'E'
[tox]
env_list = lint, unit
no_package = true
[testenv]
skip_install = true
allowlist_externals = /opt/pt/bin/pytest, /opt/venv/bin/ruff
[testenv:lint]
commands = /opt/venv/bin/ruff check --quiet .
[testenv:unit]
commands = /opt/pt/bin/pytest -q -p no:cacheprovider {posargs}
E
put brew.py <<'E'
def bitterness(alpha: float, grams: float, litres: float) -> float:
    return round(alpha * grams * 10 / litres, 1)
E
put test_brew.py <<'E'
import math
import pytest
from brew import bitterness
@pytest.mark.parametrize(("grams", "ibu"), [(10, 25.0), (20, 50.0), (0, 0)])
def test_bitterness(grams, ibu):
    assert bitterness(0.05 * 100, grams, 20) == pytest.approx(ibu, abs=0.1)
def test_no_water():
    print("error expected for 0 litres")
    assert math.isinf(bitterness(5, 10, 0))
E
run <<'E'
/opt/venv/bin/tox run -q
E

new indigo-go-no-files go
put go.mod <<'E'
module example.com/indigo

go 1.22
E
put tools/linux_only.go <<'E'
//go:build windows

package tools

func Dye() string { return "error" }
E
put main.go <<'E'
package main

import "example.com/indigo/tools"

func main() { println(tools.Dye()) }
E
run <<'E'
go list ./...
go build -o indigo .
./indigo --version
E

new jute-commit-message shell
put check.sh <<'E'
bad=0
for c in $(git rev-list --reverse HEAD~3..HEAD); do
  s=$(git log -1 --format=%s $c)
  if [ ${#s} -gt 60 ]; then echo "✘ $(git log -1 --format=%h $c) subject has ${#s} characters, 60 allowed: $s"; bad=$((bad+1))
  else echo "✔ $(git log -1 --format=%h $c) $s"; fi
done
echo "checked 3 commits"
[ $bad = 0 ]
E
commit
[ -n "$SKIP" ] || { git commit -q --allow-empty -m 'Fix error in login'; git commit -q --allow-empty -m 'Add the fallback that shows an error page when the upstream service is away for long'; git commit -q --allow-empty -m 'Tidy'; }
run <<'E'
git fetch --depth 4 . main
bash check.sh
E

new kudzu-flyctl-env-tty shell
put preflight.sh <<'E'
#!/usr/bin/env bash
ok() { printf '  \e[32m✓\e[0m %s\n' "$1"; }
bad() { printf '  \e[31m✗ %s\e[0m\n' "$1"; failed=1; }
failed=0
echo "Preflight"
[ -d .git ] && ok "inside a repository" || ok "no repository (error ignored)"
command -v curl > /dev/null && ok "curl is installed"
ver=$(cat .tool-version); [ "$(printf '%s\n' 3.2.0 "$ver" | sort -V | head -1)" = 3.2.0 ] && ok "tool $ver" || bad "tool $ver is too old, 3.2.0 is needed"
[ -w /tmp ] && ok "/tmp is writable"
exit $failed
E
put .tool-version <<'E'
3.1.9
E
TTY=1; run <<'E'
bash preflight.sh
./release
E
TTY=

new lotus-tty-jest jest
mods jest29
put package.json <<'E'
{"name":"lotus","scripts":{"test":"jest"}}
E
many 3 pond@.test.js <<'E'
test('pond @', () => { expect(@).toBeLessThan(9); });
E
put bloom.test.js <<'E'
const bloom = (d) => (d < 0 ? undefined : { day: d, petals: d * 3 });
test('blooms', () => expect(bloom(2)).toEqual({ day: 2, petals: 6 }));
test('has petals before the first day', () => expect(bloom(-1).petals).toBe(0));
E
TTY=1; run <<'E'
npm test
E
TTY=

new mimosa-tty-pytest pytest
put test_sense.py <<'E'
import pytest
@pytest.mark.parametrize("i", range(40))
def test_touch(i): assert i < 40
def test_folds():
    leaves = ["open"] * 3
    leaves[1:2] = []
    assert len(leaves) == 3, "a leaf was lost"
E
TTY=1; run <<'E'
/opt/pt/bin/pytest -q
E
TTY=

new neem-tty-cargo cargo
put Cargo.toml <<'E'
[package]
name = "neem"
version = "0.3.0"
edition = "2021"
[dependencies]
smallvec = "1"
fnv = "1"
E
put src/main.rs <<'E'
use smallvec::SmallVec;
fn main() {
    let mut v: SmallVec<[u8; 4]> = SmallVec::new();
    v.push(1);
    let first = v;
    println!("{} {}", v.len(), first.len());
}
E
TTY=1; run <<'E'
cargo build
E
TTY=

