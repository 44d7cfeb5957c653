PART=sealed; . "$(dirname "$0")/lib.sh"

new archive-jest-not-exiting jest
mods jest29
put package.json <<'E'
{"name":"archive","scripts":{"test":"jest --ci"}}
E
put poll.test.js <<'E'
const start = () => setInterval(() => {}, 1000);
test('starts polling', () => { start(); expect(1).toBe(1); });
test('logs errors', () => { console.error('Error: poll failed (simulated)'); });
E
put sum.test.js <<'E'
test('sums', () => expect(1 + 1).toBe(2));
E
run <<'E'
timeout 9 npx jest --ci --runInBand
npm run build
E

new bistro-npm-git-dependency npm
put package.json <<'E'
{"name":"bistro","version":"1.0.0","dependencies":{"ms":"2.1.3","bistro-theme":"git+ssh://git@127.0.0.1:43999/bistro/theme.git#v2"}}
E
run <<'E'
export GIT_SSH_COMMAND='ssh -o BatchMode=yes -o ConnectTimeout=2'
npm install
npm run build
E

new castle-npm-global-eacces npm
[ -n "$SKIP" ] || { chmod o+rx . /tmp/exam "$WORK" 2>/dev/null; mkdir cache prefix; chmod 777 cache; }
run <<'E'
npm --version
npm_config_cache=$PWD/cache npm_config_prefix=$PWD/prefix setpriv --reuid=nobody --clear-groups npm install -g ms@2.1.3
E

new dragon-npm-json-parse npm
put package.json <<'E'
{
  "name": "dragon",
  "version": "2.0.0",
  "scripts": {
    "lint": "eslint .",
<<<<<<< HEAD
    "test": "vitest run"
=======
    "test": "jest"
>>>>>>> origin/main
  }
}
E
run <<'E'
ls
npm install
npm test
E

new estuary-npm-enospc npm
put package.json <<'E'
{"name":"estuary","version":"1.0.0","dependencies":{"typescript":"5.7.3","ms":"2.1.3"}}
E
run <<'E'
mkdir -p node_modules && mount -t tmpfs -o size=4m tmpfs node_modules
df -h node_modules
npm install --no-package-lock
node node_modules/typescript/bin/tsc --version
E

new fjord-pip-index-refused pip
put requirements.txt <<'E'
--index-url http://127.0.0.1:45555/simple
fjord-models==1.2
E
run <<'E'
/opt/venv/bin/python -m venv env
env/bin/pip install --retries 2 --timeout 2 -r requirements.txt
env/bin/python -m fjord
E

new gorge-go-private-module go
put go.mod <<'E'
module example.com/gorge

go 1.22

require git.gorge.invalid/platform/auth v1.4.0
E
put main.go <<'E'
package main

import "git.gorge.invalid/platform/auth"

func main() { auth.Check() }
E
run <<'E'
export GOPRIVATE=git.gorge.invalid GOFLAGS=-mod=mod
go build ./...
E

new hamlet-cargo-git-dependency cargo
put Cargo.toml <<'E'
[package]
name = "hamlet"
version = "0.1.0"
edition = "2021"
[dependencies]
itoa = "1"
skull = { git = "file:///drone/mirror/skull.git", tag = "v1" }
E
put src/main.rs <<'E'
fn main() {}
E
run <<'E'
cargo --version
cargo build --release
E

new island-mvn-http-blocked maven
put pom.xml <<'E'
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>com.example</groupId><artifactId>island</artifactId><version>2.0</version>
<repositories><repository><id>nexus</id><url>http://nexus.island.invalid/repository/releases</url></repository></repositories>
<dependencies><dependency><groupId>com.example.island</groupId><artifactId>ferry-api</artifactId><version>4.1.0</version></dependency></dependencies></project>
E
run <<'E'
mvn -B -ntp validate
mvn -B -ntp compile
E

new jungle-docker-tag-missing docker
run <<'E'
docker images --format '{{.Repository}}' | grep -c exam || true
export TAG=1.9.0-rc1
docker tag jungle/api:$TAG registry.internal:5000/jungle/api:$TAG
docker push registry.internal:5000/jungle/api:$TAG
E

new kingdom-docker-go-test docker
[ -n "$SKIP" ] || docker image inspect exam/base > /dev/null 2>&1 || echo "no base" >&2
put go.mod <<'E'
module example.com/kingdom

go 1.22
E
put tax_test.go <<'E'
package kingdom

import "testing"

func tax(n int) int { return n * 19 / 100 }
func TestTax(t *testing.T) {
	for in, want := range map[int]int{100: 19, 0: 0} {
		if got := tax(in); got != want {
			t.Errorf("tax(%d) = %d", in, got)
		}
	}
}
func TestRounding(t *testing.T) {
	if got, want := tax(150), 29; got != want {
		t.Errorf("tax(150): got %d, want %d", got, want)
	}
}
func TestErrorLog(t *testing.T) { t.Log("error: none") }
E
put Dockerfile <<'E'
FROM exam/base AS test
COPY kingdom.test /usr/bin/kingdom.test
RUN kingdom.test -test.v
FROM exam/base
COPY --from=test /usr/bin/kingdom.test /app
E
run <<'E'
CGO_ENABLED=0 go test -c -o kingdom.test .
docker build --no-cache -t kingdom .
E

new lagune-gradle-resolve gradle
put settings.gradle <<'E'
rootProject.name = 'lagune'
E
put build.gradle <<'E'
apply plugin: 'java'
repositories { mavenCentral() }
dependencies { compile 'com.google.code.gson:gson:2.11.0'; compile 'com.google.code.gson:gson-error-codes:2.11.0' }
E
put src/main/java/l/A.java <<'E'
package l; public class A {}
E
run <<'E'
gradle --no-daemon --console=plain dependencies --configuration archives
gradle --no-daemon --console=plain compileJava
E

new meadow-cpp-deleted-function cmake
put CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.16)
project(meadow CXX)
set(CMAKE_CXX_STANDARD 20)
file(GLOB SRC src/*.cpp)
add_library(meadow ${SRC})
E
many 12 src/field@.cpp <<'E'
#include <string>
std::string error_@() { int unused = @; return "none"; }
E
put src/herd.cpp <<'E'
#include <memory>
#include <vector>
struct Cow { int milk; };
struct Herd { std::vector<std::unique_ptr<Cow>> cows; };
Herd copy(const Herd& h) { return h; }
int errors(const Herd& h) { return static_cast<int>(h.cows.size()); }
E
run <<'E'
cmake -B build -G Ninja -DCMAKE_CXX_FLAGS=-Wall > cmake.log
ninja -C build -j1 -k 0
E

new nomad-own-harness shell
put tests/run.sh <<'E'
#!/bin/bash
n=0; failed=()
check() { n=$((n+1)); local want=$1; shift; local got; got=$("$@" 2>&1); if [ "$got" == "$want" ]; then printf 'PASS %02d %s\n' $n "$*"; else printf 'FAIL %02d %s: expected "%s", got "%s"\n' $n "$*" "$want" "$got"; failed+=($n); fi; }
trap 'echo "removing temporary files"; rm -rf /tmp/exam/nomad-tmp; echo "stopping fake server (error 143 is normal)"' EXIT
mkdir -p /tmp/exam/nomad-tmp
for i in 1 2 3 4 5 6 7 8; do check "$i" ./bin/calc $i + 0; done
check 7 ./bin/calc 3 + 4
check 12 ./bin/calc 3 x 4
check "error: division by zero" ./bin/calc 3 / 0
for i in 1 2 3; do check "$((i*10))" ./bin/calc $i x 10; done
echo "----"
echo "$n checks, ${#failed[@]} failed: ${failed[*]}"
[ ${#failed[@]} -eq 0 ]
E
put bin/calc <<'E'
#!/bin/sh
case $2 in +) echo $(($1 + $3));; x) echo $(($1 * $3));; /) echo $(($1 / $3));; esac
E
run <<'E'
chmod +x bin/calc
bash tests/run.sh
E

new orchid-puppeteer-selector puppeteer
mods puppeteer puppeteer-core@23.11.1
put package.json <<'E'
{"name":"orchid","scripts":{"e2e":"node e2e/pay.js"}}
E
put e2e/pay.js <<'E'
const puppeteer = require('puppeteer-core');
(async () => {
  const browser = await puppeteer.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    page.on('console', (m) => console.log('[page]', m.type(), m.text()));
    await page.setContent('<h1>Basket</h1><script>console.error("Uncaught (in promise) AbortError (ignored)")</script>');
    console.log('step 1: basket shown');
    await page.waitForSelector('#pay', { timeout: 1500 });
    console.log('step 2: paid');
  } finally { console.log('closing browser'); await browser.close(); }
})();
E
run <<'E'
npm run e2e
E

new prairie-perf-budget node
put budget.json <<'E'
{"lcp":2500,"cls":0.1,"tbt":200,"requests":40}
E
put measure.js <<'E'
const budget = require('./budget.json');
const measured = { lcp: 1830, cls: 0.02, tbt: 341, requests: 38 };
const rows = Object.entries(budget).map(([k, max]) => ({ metric: k, value: measured[k], budget: max, over: measured[k] > max }));
console.log('Performance of /checkout (median of 3 runs, 0 errors)');
for (const r of rows) console.log(`  ${r.over ? '✗' : '✓'} ${r.metric.padEnd(9)} ${String(r.value).padStart(6)}  budget ${r.budget}`);
process.exit(rows.some((r) => r.over) ? 1 : 0);
E
run <<'E'
node measure.js
E

new quartz-git-revert-script git
put config.yml <<'E'
retries: 3
E
commit
[ -n "$SKIP" ] || { echo 'retries: 5' > config.yml; git commit -qam 'More retries'; echo 'retries: 9' > config.yml; git commit -qam 'Even more retries'; git tag v1; git tag v2 HEAD~1; }
put hotfix.sh <<'E'
#!/bin/sh
set -e
echo "reverting $(git log -1 --format=%s v2)"
git -c advice.mergeConflict=false revert --no-edit v2
echo "tagging hotfix"; git tag hotfix
E
run <<'E'
git tag --list
sh hotfix.sh
E

new reef-pg-restore psql
run <<'E'
export PGHOST=127.0.0.1 PGPORT=54329 PGUSER=postgres
psql -q -c 'drop database if exists reef' -c 'create database reef'
psql -q -d reef -c 'create table corals (id int primary key, error text)' -c "insert into corals values (1, 'ERROR: none')"
pg_dump -Fc -d reef -f reef.dump && ls reef.dump
pg_restore --exit-on-error --verbose -d reef reef.dump
E

new savanna-django-conflict django
put manage.py <<'E'
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
E
put settings.py <<'E'
SECRET_KEY = "x"
INSTALLED_APPS = ["herd"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
E
put herd/__init__.py <<'E'
E
put herd/models.py <<'E'
from django.db import models
class Animal(models.Model):
    name = models.CharField(max_length=9)
E
put herd/migrations/__init__.py <<'E'
E
put herd/migrations/0001_initial.py <<'E'
from django.db import migrations, models
class Migration(migrations.Migration):
    initial = True
    operations = [migrations.CreateModel("Animal", [("id", models.BigAutoField(primary_key=True)), ("name", models.CharField(max_length=9))])]
E
for n in 0002_error_code 0002_tags; do put herd/migrations/$n.py <<'E'
from django.db import migrations
class Migration(migrations.Migration):
    dependencies = [("herd", "0001_initial")]
    operations = []
E
done
run <<'E'
/opt/venv/bin/python manage.py check
/opt/venv/bin/python manage.py migrate
/opt/venv/bin/python manage.py test
E

new tundra-pytest-reruns pytest
put conftest.py <<'E'
import pytest
calls = {}
@pytest.fixture
def attempt(request):
    calls[request.node.name] = calls.get(request.node.name, 0) + 1
    return calls[request.node.name]
E
put tests/test_sync.py <<'E'
import pytest
@pytest.mark.parametrize("n", range(30))
def test_item(n): assert n >= 0
def test_recovers(attempt):
    if attempt < 3: raise ConnectionError(f"attempt {attempt}: connection reset")
def test_upload(attempt):
    raise TimeoutError(f"upload of part 7 timed out after {attempt * 2} s")
E
run <<'E'
/opt/venv/bin/python -m pytest -v --reruns 2 -p no:randomly -p no:asyncio -p no:cacheprovider --tb=short -r fER
E

new utopia-vulture vulture
put utopia/a.py <<'E'
import os
def used(): return 1
def unused_error(code): return code
E
put utopia/main.py <<'E'
from utopia.a import used
print(used())
E
run <<'E'
/opt/venv/bin/python -c "import utopia.main"
/opt/venv/bin/black --check -q . || echo "formatting differs (not enforced yet)"
/opt/venv/bin/vulture utopia --min-confidence 60
E

new volcano-go-long-verbose go
put go.mod <<'E'
module example.com/volcano

go 1.22
E
put vents/vents_test.go <<'E'
package vents

import (
	"fmt"
	"testing"
)

type vent struct {
	id, heat int
}

func eruption(v vent) string {
	if v.heat > 900 {
		return "error"
	}
	return fmt.Sprintf("vent %d calm", v.id)
}
func TestVents(t *testing.T) {
	for i := 0; i < 150; i++ {
		v := vent{i, i * 13 % 1000}
		t.Run(fmt.Sprintf("vent_%d", i), func(t *testing.T) {
			t.Parallel()
			t.Logf("heat %d, errors 0", v.heat)
			if v.id != 77 && v.heat > 900 {
				t.Skip("ERROR threshold, measured by hand")
			}
			if got := eruption(v); v.id == 77 && got != "error" {
				t.Fatalf("eruption(%+v) = %q, must warn above 1000 (heat is taken modulo 1000)", v, got)
			}
		})
	}
}
E
put ash/ash_test.go <<'E'
package ash

import "testing"

func TestAsh(t *testing.T) { t.Log("after the failure") }
E
run <<'E'
go test -v -parallel 2 ./vents ./ash
E

new windmill-cargo-bench cargo
put Cargo.toml <<'E'
[package]
name = "windmill"
version = "0.1.0"
edition = "2021"
[[bench]]
name = "spin"
harness = false
E
put src/lib.rs <<'E'
pub fn spin(n: u64) -> u64 { (0..n).fold(0, |a, b| a ^ b) }
#[cfg(test)] mod tests { #[test] fn no_error() { assert_eq!(super::spin(4), 0); } }
E
put benches/spin.rs <<'E'
use criterion::{criterion_group, criterion_main, Criterion};
fn bench(c: &mut Criterion) { c.bench_function("spin", |b| b.iter(|| windmill::spin(100))); }
criterion_group!(benches, bench);
criterion_main!(benches);
E
run <<'E'
cargo test --quiet
cargo bench --no-run
E

new yacht-vite-postcss vite
mods vite6 vite@6.0.7
put package.json <<'E'
{"name":"yacht","type":"module","scripts":{"build":"vite build"}}
E
put index.html <<'E'
<!doctype html><title>Yacht</title><script type="module" src="/src/main.js"></script>
E
put src/main.js <<'E'
import './style.css';
console.error('no errors');
document.body.append('Yacht');
E
put src/style.css <<'E'
.error { color: red; }
.sail { width calc(100% - 2rem) }
.hull { 
.mast { height: 3rem; }
E
run <<'E'
npm run build
ls dist
E

new zeppelin-sbom-script-chain node
put package.json <<'E'
{"name":"zeppelin","version":"4.0.0","scripts":{"prepublishOnly":"npm run -s check:exports && npm run -s check:changelog","check:exports":"node tools/exports.js","check:changelog":"node tools/changelog.js"},"exports":{".":"./index.js","./gas":"./gas.js"}}
E
put index.js <<'E'
exports.error = null;
E
put tools/exports.js <<'E'
const fs = require('fs'); const { exports } = require('../package.json');
for (const [name, file] of Object.entries(exports)) {
  if (fs.existsSync(file)) console.log(`exports ${name} -> ${file} ok`);
  else { console.error(`exports ${name} -> ${file} does not exist`); process.exitCode = 1; }
}
E
put tools/changelog.js <<'E'
console.log('changelog ok');
E
run <<'E'
npm pack --dry-run --silent
npm publish --dry-run
E
