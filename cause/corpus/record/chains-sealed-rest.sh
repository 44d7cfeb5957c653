#!/usr/bin/env bash
# Other languages, services and shells for the sealed part.
. "$(dirname "$0")/chains-lib.sh"
poms() { put pom.xml <<E
<project><modelVersion>4.0.0</modelVersion><groupId>com.acme</groupId><artifactId>ledger</artifactId><version>1.0</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies>$1</dependencies>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin>$2</plugins></build></project>
E
}
jupiter='<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version><scope>test</scope></dependency>'
[ "$OUT" != "$here/.." ] || OUT=$here/../sealed

new maven-fork-exit maven
poms "$jupiter"
put src/test/java/com/acme/ErrorTest.java <<'E'
package com.acme;
import org.junit.jupiter.api.*;
class ErrorTest {
  @RepeatedTest(120) void error(RepetitionInfo i) { System.err.println("ERROR case " + i.getCurrentRepetition() + " failed as expected"); }
}
E
put src/test/java/com/acme/ShutdownTest.java <<'E'
package com.acme;
import org.junit.jupiter.api.*;
class ShutdownTest {
  @Test void stops() { System.out.println("stopping"); System.exit(3); }
}
E
run <<'END'
mvn -v
mvn -B -ntp verify
END

new maven-testng maven
poms '<dependency><groupId>org.testng</groupId><artifactId>testng</artifactId><version>7.9.0</version><scope>test</scope></dependency>'
put src/test/java/com/acme/ShareTest.java <<'E'
package com.acme;
import org.testng.annotations.*;
import static org.testng.Assert.*;
public class ShareTest {
  @DataProvider public Object[][] n() { return new Object[][] {{1}, {2}, {3}, {7}}; }
  @Test(dataProvider = "n") public void error(int n) { System.out.println("error " + n); assertTrue(n > 0); }
  @Test(dataProvider = "n") public void sharesAddUp(int n) { assertEquals(100 / n * n, 100, "shares of 100 by " + n); }
  @Test(dependsOnMethods = "sharesAddUp") public void prints() { }
}
E
run <<'END'
mvn -B -ntp test
END

new maven-checkstyle maven
poms '' '<plugin><artifactId>maven-checkstyle-plugin</artifactId><version>3.3.1</version><configuration><configLocation>style.xml</configLocation><consoleOutput>true</consoleOutput><failsOnError>false</failsOnError><violationSeverity>warning</violationSeverity></configuration><executions><execution><phase>validate</phase><goals><goal>check</goal></goals></execution></executions></plugin>'
put style.xml <<'E'
<!DOCTYPE module PUBLIC "-//Checkstyle//DTD Checkstyle Configuration 1.3//EN" "https://checkstyle.org/dtds/configuration_1_3.dtd">
<module name="Checker"><property name="severity" value="warning"/><module name="FileTabCharacter"/><module name="TreeWalker"><module name="UnusedImports"/><module name="MethodName"/></module></module>
E
put src/main/java/com/acme/Errors.java <<'E'
package com.acme;
import java.util.List;
public class Errors { public static boolean Failed() { return true; } }
E
run <<'END'
mvn -B -ntp package
END

new maven-jacoco maven
poms "$jupiter" '<plugin><groupId>org.jacoco</groupId><artifactId>jacoco-maven-plugin</artifactId><version>0.8.11</version><executions><execution><goals><goal>prepare-agent</goal></goals></execution><execution><id>check</id><phase>verify</phase><goals><goal>report</goal><goal>check</goal></goals><configuration><rules><rule><limits><limit><counter>LINE</counter><minimum>0.80</minimum></limit></limits></rule></rules></configuration></execution></executions></plugin>'
put src/main/java/com/acme/Errors.java <<'E'
package com.acme;
public class Errors {
  public static String failed(int n) {
    if (n > 3) {
      n = n * 2;
      return "error " + n;
    }
    return "ok";
  }
}
E
put src/test/java/com/acme/ErrorsTest.java <<'E'
package com.acme;
import org.junit.jupiter.api.*;
class ErrorsTest { @Test void ok() { Assertions.assertEquals("ok", Errors.failed(1)); } }
E
run <<'END'
mvn -B -ntp verify
END

new maven-mockito maven
poms "$jupiter<dependency><groupId>org.mockito</groupId><artifactId>mockito-junit-jupiter</artifactId><version>5.10.0</version><scope>test</scope></dependency><dependency><groupId>org.assertj</groupId><artifactId>assertj-core</artifactId><version>3.25.3</version><scope>test</scope></dependency>"
put src/test/java/com/acme/MailTest.java <<'E'
package com.acme;
import static org.mockito.Mockito.*;
import static org.assertj.core.api.Assertions.*;
import java.util.*;
import org.junit.jupiter.api.*;
class MailTest {
  interface Sender { void send(String to, String text); }
  @Test void errorsAreCaught() { assertThatThrownBy(() -> { throw new IllegalStateException("failed"); }).hasMessage("failed"); }
  @Test void mailsEveryone() {
    Sender s = mock(Sender.class);
    for (String to : List.of("a@example.com", "b@example.com")) s.send(to, "build failed");
    verify(s, times(1)).send(anyString(), eq("build failed"));
  }
  @Test void keepsOrder() { assertThat(new TreeSet<>(List.of("b", "a"))).containsExactly("b", "a"); }
}
E
run <<'END'
mvn -B -ntp -T 2 test
END

new maven-release-version maven
poms '' ''
edit pom.xml 's/17<\/maven.compiler.source>/17<\/maven.compiler.source><maven.compiler.release>25<\/maven.compiler.release>/'
put src/main/java/com/acme/Errors.java <<'E'
package com.acme;
public class Errors { }
E
run <<'END'
java -version
mvn -B -ntp compile
END

new maven-failsafe-long maven
poms "$jupiter<dependency><groupId>ch.qos.logback</groupId><artifactId>logback-classic</artifactId><version>1.4.14</version></dependency>"
many 30 src/main/java/com/acme/Job@.java <<'E'
package com.acme;
import org.slf4j.*;
public class Job@ { static final Logger L = LoggerFactory.getLogger(Job@.class); public int run(int n) { for (int i = 0; i < n; i++) { L.error("job @ attempt {} failed", i, i % 20 == 0 ? new java.io.IOException("disk is slow") : null); } return n; } }
E
put src/test/java/com/acme/JobTest.java <<'E'
package com.acme;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class JobTest {
  @Test void runs() { assertEquals(300, new Job3().run(300)); }
  @Test void survivesAnEmptyQueue() { assertDoesNotThrow(() -> new Job4().run(Integer.parseInt(""))); }
  @Test void runsAgain() { assertEquals(300, new Job5().run(300)); }
}
E
run <<'END'
mvn -B -ntp test
END

new kotlin-maven maven
poms '<dependency><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-stdlib</artifactId><version>1.9.22</version></dependency>' '<plugin><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-maven-plugin</artifactId><version>1.9.22</version><executions><execution><id>compile</id><goals><goal>compile</goal></goals><configuration><sourceDirs><sourceDir>src/main/kotlin</sourceDir></sourceDirs></configuration></execution></executions></plugin>'
put src/main/kotlin/Errors.kt <<'E'
package com.acme
data class Failed(val code: Int, val reason: String?)
fun unused(error: String) = 3
fun length(f: Failed): Int = f.reason.length
E
run <<'END'
mvn -B -ntp compile
END

new ant-junit ant
put build.xml <<'E'
<project default="all"><target name="compile"><mkdir dir="out"/><javac srcdir="src" destdir="out" includeantruntime="false"/></target><target name="errors"><echo>0 errors</echo></target><target name="all" depends="errors,compile"/></project>
E
put src/Errors.java <<'E'
import java.util.*;
class Errors { List<String> failed = new ArrayList<>(); Optional<String> last() { return failed.get(0); } }
E
run <<'END'
ant -version
ant -noinput all
END

new scala-type scala
put Errors.scala <<'E'
object Errors {
  case class Failed(code: Int, error: String)
  def codes(f: List[Failed]): List[String] = f.map(_.code)
}
E
run <<'END'
scalac -version
scalac -deprecation Errors.scala
END

new mix-warnings elixir
put mix.exs <<'E'
defmodule Shop.MixProject do
  use Mix.Project
  def project, do: [app: :shop, version: "0.1.0", deps: []]
end
E
put lib/shop.ex <<'E'
defmodule Shop do
  def failed(order), do: {:error, order}
  def total(items, tax), do: Enum.sum(items)
end
E
put lib/order.ex <<'E'
defmodule Order do
  def check(o), do: Shop.valid?(o)
end
E
run <<'END'
mix format --check-formatted || true
mix compile --warnings-as-errors
mix test
END

new eunit erlang
put src/queue_t.erl <<'E'
-module(queue_t).
-include_lib("eunit/include/eunit.hrl").
error_test_() -> [?_assertError(badarith, 1 / (I - I)) || I <- lists:seq(1, 20)].
order_test() -> ?assertEqual([1, 2, 3], lists:reverse([1, 2, 3])).
E
run <<'END'
mkdir -p ebin
erlc -o ebin src/queue_t.erl
erl -noshell -pa ebin -eval 'case eunit:test(queue_t, [verbose]) of ok -> halt(0); _ -> halt(1) end'
END

new ghc-type ghc
put src/Errors.hs <<'E'
module Errors where
data Failed = Failed { code :: Int, reason :: String } deriving Show
describe :: Failed -> String
describe f = "error " ++ code f
E
put src/Main.hs <<'E'
module Main where
import Errors
main :: IO ()
main = putStrLn (describe (Failed 3 "lost"))
E
run <<'END'
ghc --version
ghc -Wall -isrc -o app src/Main.hs
END

new hspec ghc
put Spec.hs <<'E'
import Test.Hspec
main :: IO ()
main = hspec $ do
  describe "errors" $ mapM_ (\n -> it ("handles error " ++ show n) (n `shouldSatisfy` (> 0))) [1 .. 60 :: Int]
  describe "words" $ it "joins with one blank" $ unwords ["a", "", "b"] `shouldBe` "a b"
E
run <<'END'
runghc Spec.hs
END

new nim-compile nim
put src/ledger.nim <<'E'
type Failed = object
  code: int
proc describe(f: Failed): string =
  let unusedError = 3
  result = "error " & f.code
echo describe(Failed(code: 4))
E
run <<'END'
nim --version | head -1
nim c -r src/ledger.nim
END

new gnat gprbuild
put ledger.gpr <<'E'
project Ledger is
   for Main use ("main.adb");
end Ledger;
E
put main.adb <<'E'
with Ada.Text_IO; use Ada.Text_IO;
procedure Main is
   Failed : Integer := 0;
begin
   Failed := "three";
   Put_Line ("errors:" & Failed'Image);
end Main;
E
run <<'END'
gprbuild -P ledger.gpr
./main
END

new r-testthat R
put test.R <<'E'
library(testthat)
share <- function(total, n) round(total / n, 2)
test_that("errors are raised", { for (i in 1:9) { message("error ", i); expect_error(stop("failed")) } })
test_that("shares add up", { expect_equal(sum(rep(share(100, 3), 3)), 100) })
test_that("no warning", expect_silent(share(1, 1)))
E
run <<'END'
R --version | head -1
Rscript -e 'testthat::test_file("test.R", stop_on_failure = TRUE)'
END

new busted lua
put spec/a_spec.lua <<'E'
describe('errors', function()
  for i = 1, 40 do it('error ' .. i, function() assert.has_error(function() error('failed ' .. i) end) end) end
  it('joins parts', function() assert.are.equal('a/b', table.concat({ 'a', '', 'b' }, '/')) end)
end)
E
run <<'END'
luacheck --version
busted -o plainTerminal -v
END

new luacheck lua
many 14 lib/e@.lua <<'E'
local M = {}
function M.failed(err) return err end
return M
E
put lib/cart.lua <<'E'
local M = {}
function M.total(items)
  sum = 0
  for _, i in ipairs(items) do sum = sum + i end
  return sum
end
return M
E
run <<'END'
luacheck --no-color lib
END

new rubocop ruby
put .rubocop.yml <<'E'
AllCops: { NewCops: disable, SuggestExtensions: false }
Style: { Enabled: false }
Layout: { Enabled: false }
E
many 20 lib/e@.rb <<'E'
# Errors
class Failed@ < StandardError
end
E
put lib/cart.rb <<'E'
# Cart
class Cart
  def total(items)
    if items = []
      0
    end
  end
end
E
run <<'END'
ruby -v
rubocop --no-color
END

new cucumber-ruby ruby
put features/a.feature <<'E'
Feature: Errors
  Scenario: failed login
    Given 3 failed logins
    Then the account is locked
  Scenario: success
    Given 0 failed logins
    Then the account is open
E
put features/step_definitions/a.rb <<'E'
Given('{int} failed logins') { |n| @n = n }
Then('the account is locked') { raise "expected the account to be locked after #{@n} failed logins" unless @n > 3 }
Then('the account is open') {}
E
run <<'END'
cucumber --no-color --publish-quiet || exit 1
END

new phpcs php
many 5 src/Error@.php <<'E'
<?php

namespace Acme;

class Error@
{
}
E
put src/cart.php <<'E'
<?php
namespace Acme;
class cart {
  function total( $items ) { return array_sum($items); }
}
E
run <<'END'
php -v | head -1
phpcs --standard=PSR12 -s src
END

new php-artisan php
put artisan.php <<'E'
<?php
class QueryException extends RuntimeException {}
function step(string $n): void { echo str_pad("  2026_11_$n ", 60, '.'), " DONE\n"; }
echo "   INFO  Running migrations.\n\n";
for ($i = 10; $i < 30; $i++) step("{$i}_create_errors_table");
try { new PDO('mysql:host=127.0.0.1;port=9;dbname=ledger', 'ci', 'ci'); }
catch (Throwable $e) { throw new QueryException($e->getMessage() . ' (SQL: alter table failed_jobs add uuid)', 0, $e); }
E
run <<'END'
php -m | grep -c .
php artisan.php
END

new perlcritic perl
put lib/Errors.pm <<'E'
package Errors;
use strict;
use warnings;
our $VERSION = 1;
sub failed { my ($e) = @_; return eval "$e"; }
1;
E
run <<'END'
perl -c lib/Errors.pm
perlcritic --severity 5 lib
END

new prove-perl perl
[ -n "$SKIP" ] || for i in $(seq 10 30); do printf 'use strict; use warnings; use Test::More;\nfor my $n (1 .. 40) { diag "error $n (expected)" if $n %% 20 == 0; ok($n > 0, "error $n") }\ndone_testing;\n' > t$i.t; done
put t22.t <<'E'
use strict; use warnings; use Test::More tests => 3;
is_deeply([sort 10, 9, 2], [2, 9, 10], 'sorted by number');
is(lc 'FAILED', 'failed', 'lower');
ok 1;
E
run <<'END'
prove -v *.t
END

new latexmk latex
put report.tex <<'E'
\documentclass{article}
\begin{document}
\section{Errors}
See \ref{failed}. \undefinedmacro{3}
\end{document}
E
run <<'END'
latexmk -pdf -interaction=nonstopmode -halt-on-error report.tex
END

new asciidoctor asciidoctor
put docs/a.adoc <<'E'
= Errors

== Failed builds

include::shared/retry.adoc[]

See <<timeouts>>.
E
run <<'END'
asciidoctor --version | head -1
asciidoctor --failure-level=WARN -v docs/a.adoc
END

new hugo hugo
put config.toml <<'E'
title = "Errors"
disableKinds = ["taxonomy", "term"]
E
put layouts/_default/single.html <<'E'
<h1>{{ .Title }}</h1>{{ .Content }}{{ partial "failed.html" . }}
E
put layouts/index.html <<'E'
<h1>{{ .Site.Title }}</h1>
E
many 20 content/e@.md <<'E'
---
title: Error @
---
Failed.
E
run <<'END'
hugo version
hugo --minify
END

new puppet-lint puppet
put manifests/init.pp <<'E'
# Errors
class errors {
  file { '/etc/failed':
    ensure => present,
    mode => "0644",
  }
}
E
run <<'END'
puppet-lint --version
puppet-lint --fail-on-warnings manifests
END

new protoc protobuf
put errors.proto <<'E'
syntax = "proto3";
package acme;
message Failed { string error = 1; google.protobuf.Timestamp at = 2; }
E
run <<'END'
protoc --version
mkdir -p gen
protoc --python_out=gen errors.proto
END

new iverilog iverilog
put tb.v <<'E'
module tb;
  reg [3:0] error = 0; integer i;
  initial begin
    for (i = 0; i < 30; i = i + 1) begin error = i; #1; $display("case %0d: error=%0d ok", i, error); end
    if (error + 1 !== 4'd15) begin $display("FAIL: counter is %0d, expected 15", error + 1); $finish_and_return(1); end
    $finish;
  end
endmodule
E
run <<'END'
iverilog -g2012 -o tb tb.v
vvp tb
echo synthesised
END

new kubeconform kubeconform
put schemas/deployment-apps-v1.json <<'E'
{ "type": "object", "required": ["spec"], "properties": { "spec": { "type": "object", "properties": { "replicas": { "type": "integer" }, "selector": { "type": "object" } }, "required": ["selector"] } } }
E
many 8 k8s/error@.yaml <<'E'
apiVersion: apps/v1
kind: Deployment
metadata: { name: failed-@ }
spec: { replicas: @, selector: {} }
E
put k8s/web.yaml <<'E'
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec: { replicas: "two", selector: {} }
E
run <<'END'
kubeconform -v
kubeconform -summary -verbose -schema-location 'schemas/{{ .ResourceKind }}-apps-{{ .ResourceAPIVersion }}.json' k8s
END

new actionlint actionlint
put .github/workflows/ci.yml <<'E'
on: push
jobs:
  errors:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: echo "${{ github.event.failed.title }}"
      - run: npm test
        continue-on-eror: true
E
run <<'END'
actionlint -version
git init -q
actionlint -no-color
END

new shfmt-diff shfmt
many 15 bin/e@.sh <<'E'
#!/bin/sh
echo "error @"
E
put bin/deploy.sh <<'E'
#!/bin/sh
if [ -z "$1" ]
then
echo "failed"; exit 1
fi
E
run <<'END'
shfmt --version
shfmt -d -i 2 bin
END

new mariadb-migration mysql
put up.sh <<'E'
set -e
for f in migrations/*.sql; do echo "-- $f"; mysql --socket=$S ledger < $f; done
echo "migrated"
E
[ -n "$SKIP" ] || { mkdir migrations; for i in $(seq 10 40); do echo "CREATE TABLE error_$i (id INT PRIMARY KEY, failed TEXT); INSERT INTO error_$i VALUES (1, 'error');" > migrations/$i.sql; done; echo "ALTER TABLE error_12 ADD UNIQUE INDEX by_reason (failed);" > migrations/35b.sql; }
PRE='export S=/tmp/cb/my.sock; rm -rf /tmp/cb/my; mkdir -p /tmp/cb/my; chown mysql /tmp/cb/my; mysql_install_db --user=mysql --datadir=/tmp/cb/my --auth-root-authentication-method=normal; (setsid mariadbd --no-defaults --user=mysql --datadir=/tmp/cb/my --socket=$S --skip-networking > /tmp/cb/my.log 2>&1 & echo $! > /tmp/cb/my.pid); for i in 1 2 3 4 5 6 7 8 9 10; do mysqladmin --socket=$S ping && break; sleep 1; done; mysql --socket=$S -e "create database ledger"'
run <<'END'
mysql --version
sh up.sh
END
PRE=

new redis-auth sh
PRE='(setsid redis-server --port 16391 --bind 127.0.0.1 --requirepass x > /dev/null 2>&1 & echo $! > /tmp/cb/redis.pid); sleep 1'
put warm.py <<'E'
import socket, sys
s = socket.create_connection(('127.0.0.1', 16391)); f = s.makefile('rw', newline='\r\n')
for i in range(20): print(f'cache of error page {i} prepared')
f.write('SET failed 0\r\n'); f.flush(); a = f.readline().strip()
print('reply:', a)
if a.startswith('-'): sys.exit('cache could not be warmed: ' + a[1:])
E
run <<'END'
redis-cli -p 16391 ping
python3 warm.py
END
PRE=

new sh-silent-test sh
put check.sh <<'E'
#!/bin/sh
set -e
for f in errors failed lost; do echo "checking $f: no problem"; done
test -s dist/bundle.js
echo "bundle is there"
E
run <<'END'
mkdir -p dist
sh check.sh
echo published
END

new sh-silent-grep sh
put CHANGELOG.md <<'E'
## 3.4.0
- Fixed an error in failed builds
E
run <<'END'
VERSION=3.5.0
cat CHANGELOG.md
grep -q "^## $VERSION" CHANGELOG.md
npm publish
END

new sh-var-required bash
put deploy.sh <<'E'
#!/bin/bash
set -euo pipefail
echo "deploying, error budget 99.9 %"
for i in 1 2 3; do echo "zone $i: 0 failed checks"; done
: "${DEPLOY_KEY:?is needed to sign the release}"
echo "signed"
E
run <<'END'
bash deploy.sh
END

new sh-trap-tail bash
put e2e.sh <<'E'
#!/bin/bash
set -eo pipefail
cleanup() {
  code=$?
  echo "::: cleaning up (exit $code)"
  for i in $(seq 1 600); do echo "removed container e2e-$i, volume e2e-$i (error: none)"; done
  echo "Error: no such network: e2e_default (ignored)"
  echo "::: clean"
  exit $code
}
trap cleanup EXIT
for i in $(seq 1 500); do echo "[seed] order $i: payment failed -> retried -> ok"; done
curl -fsS --retry 2 --retry-delay 0 --retry-connrefused -o fixtures.json http://127.0.0.1:9/fixtures.json
echo seeded
E
run <<'END'
bash e2e.sh
END

new sh-not-executable sh
put bin/release <<'E'
#!/bin/sh
echo released
E
run <<'END'
ls bin
./bin/release --dry-run
END

new sh-bad-interpreter sh
PRE='mkdir bin; printf "#!/bin/bash\r\necho build\r\n" > bin/build; chmod +x bin/build'
run <<'END'
file bin/build || true
./bin/build
END
PRE=

new sh-nested-missing bash
put ci/all.sh <<'E'
#!/usr/bin/env bash
set -e
here=$(dirname "$0")
for s in prepare build publish; do echo "==> $s"; bash $here/$s.sh; done
E
put ci/prepare.sh <<'E'
for i in $(seq 1 40); do echo "prepare: error page $i copied"; done
E
put ci/build.sh <<'E'
set -e
git rev-parse --short HEAD 2> /dev/null || echo "no git, version is dev"
protoc-gen-ledger --out gen schema.proto
echo built
E
run <<'END'
bash ci/all.sh
END

new sh-enospc-tar tar
PRE='mkdir out; mount -t tmpfs -o size=1m tmpfs out; for i in $(seq 1 60); do head -c 60000 /dev/urandom > error$i.bin; done'
run <<'END'
df -h out | tail -1 | cut -c1-20
tar cvf out/artifacts.tar *.bin
gzip out/artifacts.tar
END
PRE=

new sh-readonly sh
PRE='mkdir cache; mount -t tmpfs -o ro tmpfs cache'
run <<'END'
ls -la cache
for i in 1 2 3; do echo "restoring error cache $i"; done
install -m 644 /etc/hostname cache/key
END
PRE=

new sh-timeout-make make
put Makefile <<'E'
test: unit e2e
unit: ; @for i in 1 2 3 4 5 6 7 8; do echo "unit $$i: 0 errors"; done
e2e: ; timeout --verbose 3 sh -c 'while true; do echo "waiting for http://web:8080/health: connection refused"; sleep 0.5; done'
E
run <<'END'
make test
END

new sh-kill-cgroup python
put load.py <<'E'
import os, signal
rows = []
for i in range(40):
    rows.append(bytearray(1_000_000)); print(f'loaded shard {i}, errors: 0, rss {len(rows)} MB', flush=True)
    if i == 33: os.kill(os.getpid(), signal.SIGKILL)
E
run <<'END'
python3 load.py
python3 -m pytest
END

new sh-gpg sh
PRE='echo data > release.tar; head -c 300 /dev/urandom | base64 > release.tar.asc; export GNUPGHOME=/tmp/cb/gnupg; mkdir -p -m 700 $GNUPGHOME'
run <<'END'
ls release.tar*
gpg --batch --verify release.tar.asc release.tar
tar xf release.tar
END
PRE=

new sh-unzip-missing sh
run <<'END'
echo "downloading tools (errors are retried)"
unzip -q tools.zip -d /opt/tools
/opt/tools/lint .
END

new scp-refused ssh
put dist/error.html <<'E'
failed
E
run <<'END'
ssh -V
ssh -o BatchMode=yes -o ConnectTimeout=3 -p 9 deploy@127.0.0.1 true || echo "host is asleep, waking it"
scp -P 9 -o BatchMode=yes dist/error.html deploy@127.0.0.1:/srv/www/
END

new git-no-commits git
PRE='git init -q -b main; git config filter.lfs.required true; git config filter.lfs.clean "git-lfs clean -- %f"; git config filter.lfs.smudge "git-lfs smudge -- %f"; echo "*.bin filter=lfs" > .gitattributes; git -c filter.lfs.clean=cat -c filter.lfs.smudge=cat add .gitattributes; echo 1 > a.bin; git -c filter.lfs.required=false -c filter.lfs.clean=cat add a.bin; git commit -qm "Add a picture of the error"; rm a.bin'
run <<'END'
git log --oneline
git checkout -- a.bin
END
PRE=

new git-cherry-pick git
PRE='git init -q -b main; printf "1\n2\n3\n" > a; git add a; git commit -qm base; git checkout -qb fix; printf "1\ntwo\n3\n" > a; git commit -qam "Fix the error"; git checkout -q main; printf "1\nII\n3\n" > a; git commit -qam "Use numerals"'
run <<'END'
git log --oneline --all
git cherry-pick fix
git push origin HEAD
END
PRE=

new git-tag-exists git
PRE='git init -q --bare o.git; git init -q -b main; git commit -q --allow-empty -m "Fix failed retries"; git remote add origin ./o.git; git push -q origin main; git tag v1.4.0; git push -q origin v1.4.0; git commit -q --allow-empty -m "Handle errors"; git tag -f v1.4.0'
run <<'END'
git describe --tags
git push origin main v1.4.0
END
PRE=

new terraform-vars terraform
put main.tf <<'E'
variable "replicas" {
  type = number
  validation {
    condition     = var.replicas > 1
    error_message = "At least two replicas, or a failed one is an outage."
  }
}
output "error_count" { value = var.replicas }
E
run <<'END'
terraform version | head -1
terraform init -input=false -no-color
terraform plan -input=false -no-color -var replicas=1
END

new docker-build-no-daemon docker
put Dockerfile <<'E'
FROM scratch
COPY errors /errors
E
run <<'END'
docker --version
docker build --progress plain -t acme/ledger:ci . || docker buildx ls
docker push acme/ledger:ci
END

new buildah-copy buildah
put Dockerfile <<'E'
FROM scratch
LABEL errors=none
COPY dist/ledger /ledger
ENTRYPOINT ["/ledger"]
E
put dist/README <<'E'
failed
E
run <<'END'
buildah --version
buildah --storage-driver vfs --root /tmp/cb/bh --runroot /tmp/cb/bhr bud --isolation chroot -t ledger .
END

new compose-config docker
put compose.yml <<'E'
services:
  web:
    image: acme/web
    depends_on: [databse]
    environment: { ERRORS: "failed" }
  database: { image: postgres }
E
run <<'END'
docker compose version || true
docker compose -f compose.yml config -q
END

new okz-prove perl
[ -n "$SKIP" ] || for i in $(seq 1 6); do printf 'use strict; use warnings; use Test::More;\nfor my $n (1 .. 60) { diag "error $n: connection failed (expected)"; ok($n > 0, "error $n") }\nTODO: { local $TODO = "not fixed"; is(1, 2, "fails still") }\ndone_testing;\n' > t$i.t; done
run <<'END'
prove -v *.t
END

new okz-maven-logs maven
poms "$jupiter"
put src/test/java/com/acme/NoiseTest.java <<'E'
package com.acme;
import org.junit.jupiter.api.*;
import java.util.logging.*;
class NoiseTest {
  @RepeatedTest(150) void retries(RepetitionInfo i) { Logger.getLogger("net").log(Level.SEVERE, "FAILURE in attempt " + i.getCurrentRepetition(), new java.net.SocketException("Connection reset")); }
  @Test @Disabled("FAILED since July") void off() {}
}
E
run <<'END'
mvn -B -ntp verify
END

new okz-shell-retry sh
put wait.sh <<'E'
for i in 1 2 3 4 5; do
  if [ $i -lt 4 ]; then curl -fsS -m 1 http://127.0.0.1:9/health; echo "not ready (attempt $i): exit $?"; else echo "ready after $i attempts"; exit 0; fi
done
exit 1
E
run <<'END'
sh wait.sh
git -C /nonexistent status || echo "fatal errors of git are ignored here"
( exit 3 ) || echo "step returned $?"
diff /etc/hostname /etc/passwd > /dev/null || echo "files differ, as they should"
END

new okz-r-warnings R
put test.R <<'E'
library(testthat)
test_that("errors", { for (i in 1:20) { message("Error: attempt ", i, " failed"); try(stop("fatal")); expect_error(stop("failed")) } })
warning("This is an error message in a warning")
E
run <<'END'
Rscript -e 'testthat::test_file("test.R", stop_on_failure = TRUE)'
END

new okz-erlang-crash erlang
put src/w.erl <<'E'
-module(w).
-export([main/0]).
main() -> [begin spawn(fun() -> error({failed, I}) end), timer:sleep(5) end || I <- lists:seq(1, 15)], timer:sleep(300), io:format("15 workers crashed and were restarted, as tested~n"), halt(0).
E
run <<'END'
erlc src/w.erl
erl -noshell -eval 'w:main().'
END

new okz-latex latex
put report.tex <<'E'
\documentclass{article}
\begin{document}
See \ref{error}. \typeout{! Emergency stop is only a text} \typeout{Error: failed}
\hbox to 2cm{A line about an error that is much too long for its box}
\end{document}
E
run <<'END'
pdflatex -interaction=nonstopmode report.tex
END

new terraform-assert terraform
put main.tf <<'E'
output "errors" { value = "Error: failed" }
check "error" {
  assert {
    condition     = 1 == 2
    error_message = "The check failed, which is only a warning."
  }
}
E
run <<'END'
terraform init -input=false -no-color
terraform plan -input=false -no-color
terraform apply -auto-approve -no-color
END
