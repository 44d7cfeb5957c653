PART=sealed; . "$(dirname "$0")/lib.sh"

new apricot-git-overwritten git
put version.txt <<'E'
1.0
E
commit
[ -n "$SKIP" ] || { git checkout -q -b release; echo 1.1 > version.txt; git commit -qam 'Release 1.1'; git checkout -q main; }
put bump.sh <<'E'
set -e
echo "building on $(git rev-parse --abbrev-ref HEAD)"
echo "1.0-dirty" > version.txt
git status --short
git checkout release
echo "released $(cat version.txt)"
E
run <<'E'
sh bump.sh
E

new banana-git-divergent git
put a.txt <<'E'
a
E
commit
[ -n "$SKIP" ] || { git clone -q . .origin; cp -a .origin /tmp/exam/banana.git.$$ 2>/dev/null; rm -rf .git a.txt; mv .origin origin; git clone -q origin clone 2>/dev/null; (cd origin && echo b > b.txt && git add . && git commit -qm 'Remote change'); (cd clone && echo c > c.txt && git add . && git commit -qm 'Local change'); rm -rf /tmp/exam/banana.git.*; }
run <<'E'
cd clone
git remote -v
git fetch --quiet
git pull
git push origin HEAD
E

new cherry-git-hook-refuses git
put src/app.js <<'E'
console.log('app');
E
commit
[ -n "$SKIP" ] || { cat > .git/hooks/pre-commit <<'E'
#!/bin/sh
echo "pre-commit: checking staged files"
n=$(git diff --cached -U0 | grep -c '^+.*debugger' || true)
[ "$n" -eq 0 ] || { echo "pre-commit: $n staged line(s) contain 'debugger', commit refused"; exit 1; }
E
chmod +x .git/hooks/pre-commit; echo 'debugger; // find the error' >> src/app.js; }
run <<'E'
git add -A
git status --short
git commit -m 'Update generated app'
git push
E

new damson-git-index-lock git
put a.txt <<'E'
a
E
commit
[ -n "$SKIP" ] || { echo b > a.txt; touch .git/index.lock; }
run <<'E'
git status --short
git commit -am 'Nightly data update'
E

new elder-git-clone-missing git
put fetch.sh <<'E'
#!/bin/sh
for repo in tools data; do
  rm -rf /tmp/exam/elder-$repo
  git clone --depth 1 -q file:///drone/src/mirrors/$repo.git /tmp/exam/elder-$repo || exit 1
  echo "cloned $repo: $(git -C /tmp/exam/elder-$repo log -1 --format=%s)"
done
E
[ -n "$SKIP" ] || { mkdir mirrors; git init -q --bare mirrors/tools.git; git init -q t; (cd t; git commit -q --allow-empty -m 'Fix error codes'; git push -q ../mirrors/tools.git HEAD:main HEAD:master 2>/dev/null); rm -rf t; }
run <<'E'
sh fetch.sh
make -C /tmp/exam/elder-data
E

new fig-git-am-fails git
put conf.ini <<'E'
[log]
level = info
E
commit
[ -n "$SKIP" ] || { sed -i 's/info/error/' conf.ini; git commit -qam 'Log errors only'; git format-patch -q -1 -o patches; git reset -q --hard HEAD~1; sed -i 's/info/warning/' conf.ini; git commit -qam 'Log warnings'; }
run <<'E'
git log --oneline
ls patches
git am --quiet patches/*.patch
E

new grape-bash-integer shell
put disk.sh <<'E'
#!/usr/bin/env bash
set -e
limit=${DISK_LIMIT_MB:-500}
used=$(du -sm /drone/src 2>/dev/null | cut -f1)
echo "workspace uses ${used} MB, limit $limit"
if [ "$used" -gt "$limit" ]; then echo "error: too much"; exit 9; fi
echo "workspace size is fine"
E
run <<'E'
bash disk.sh
export DISK_LIMIT_MB=0
bash -c '[ "$DISK_LIMIT_MB" -gt 0 ] || exec bash disk.sh'
E

new honey-sh-bashism shell
put deploy.sh <<'E'
#!/bin/sh
echo "deploying errors page"
hosts="web1 web2"
for h in $hosts; do echo "-> $h"; done
targets=(web1 web2)
echo "${targets[0]}"
E
run <<'E'
bash -n deploy.sh
chmod +x deploy.sh
./deploy.sh
E

new jujube-tar-not-gzip tar
put get.sh <<'E'
set -eu
echo "unpacking cache"
[ -f cache.tgz ] && tar xzf cache.tgz -C /tmp/exam && echo "cache restored" 
echo "unpacking sdk"
mkdir -p sdk
tar -xzf sdk-4.2.tar.gz -C sdk --strip-components=1
ls sdk
E
[ -n "$SKIP" ] || { echo x > errors.txt; tar czf cache.tgz errors.txt; printf '<html><head><title>503 Service Unavailable</title></head></html>\n' > sdk-4.2.tar.gz; }
run <<'E'
bash get.sh
E

new kiwi-ssh-bad-key ssh
[ -n "$SKIP" ] || { printf -- '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n-----END OPENSSH PRIVATE KEY-----' > key; }
run <<'E'
chmod 600 key
eval "$(ssh-agent -s)" > /dev/null; trap 'kill $SSH_AGENT_PID' EXIT
ssh-add key
ssh deploy@127.0.0.1 uptime
E

new lemon-curl-500 curl
put api.py <<'E'
import http.server, sys
class H(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(500 if "promote" in self.path else 202); self.end_headers(); self.wfile.write(b'{"error":"no such release"}' if "promote" in self.path else b'{"error":null}')
    def log_message(self, *a): pass
http.server.HTTPServer(("127.0.0.1", 45391), H).serve_forever()
E
PRE='(/opt/pt/bin/python api.py & echo $! > pid; sleep 1)'
run <<'E'
curl -sS --fail -X POST -d '{"version":"4.2.0"}' http://127.0.0.1:45391/releases
curl --fail-with-body -sS -X POST http://127.0.0.1:45391/releases/4.2.0/promote
echo promoted
E
PRE=; [ -n "$SKIP" ] || kill "$(cat pid)"

new mango-permission-chain shell
put install.sh <<'E'
set -e
prefix=${PREFIX:-/usr/share/mango-exam}
echo "installing into $prefix"
install -m 644 README.md "$HOME/README.copy" 2>/dev/null || echo "warning: no copy in HOME (ignored)"
mkdir "$prefix/lib"
cp -r lib/. "$prefix/lib"
E
put README.md <<'E'
# Error free
E
[ -n "$SKIP" ] || { mkdir -p lib root-owned; chmod 755 .; echo 1 > lib/a; chmod 555 root-owned; chmod -R o+rX .; chmod o+x /tmp/exam "$WORK" 2>/dev/null; }
run <<'E'
id -un
env HOME=/nonexistent PREFIX=/drone/src/root-owned setpriv --reuid=nobody --clear-groups sh install.sh
E

new nutmeg-pipefail-jq jq
put versions.sh <<'E'
#!/usr/bin/env bash
set -euo pipefail
for p in api web worker; do
  v=$(jq -er .version "$p/package.json" | tr -d v)
  echo "$p $v"
done
E
put api/package.json <<'E'
{"version":"v1.2.0"}
E
put web/package.json <<'E'
{"version":"v1.3.0", "error": null,}
E
run <<'E'
bash versions.sh
E

new olive-golden-diff shell
put report.sh <<'E'
awk -F, 'NR>1 { n[$2]++; if ($3 == "error") e[$2]++ } END { for (k in n) printf "%s %d %d\n", k, n[k], e[k] }' "$1" | sort
E
put data.csv <<'E'
id,host,state
1,a,ok
2,a,error
3,b,error
4,c,ok
E
put expected.txt <<'E'
a 2 1
b 1 0
c 1 0
E
put run-tests.sh <<'E'
fail=0
sh report.sh data.csv > actual.txt
echo "test 1: has lines"; [ -s actual.txt ] && echo "  ok"
echo "test 2: matches expected.txt"
diff -u expected.txt actual.txt && echo "  ok" || fail=1
echo "test 3: no error in header"; head -1 data.csv | grep -q error || echo "  ok"
exit $fail
E
run <<'E'
sh run-tests.sh
E

new papaya-retry-finally shell
put retry.sh <<'E'
n=0
until "$@"; do
  n=$((n+1))
  [ $n -ge 4 ] && { echo "retry: '$*' failed $n times, giving up" >&2; exit 1; }
  echo "retry: attempt $n failed, next in 1 s" >&2
  sleep 1
done
E
put push.sh <<'E'
echo "pushing report.json"
curl -sS -o /dev/null --max-time 2 -T report.json ftp://127.0.0.1:45392/reports/
E
put report.json <<'E'
{"errors":0}
E
run <<'E'
chmod +x push.sh
bash retry.sh sh ./push.sh
E

new quince-openssl-verify openssl
[ -n "$SKIP" ] || { openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=ca -days 9 2>/dev/null; openssl req -x509 -newkey rsa:2048 -nodes -keyout o.key -out server.pem -subj /CN=web.internal -days 9 2>/dev/null; }
run <<'E'
openssl version
openssl x509 -in server.pem -noout -subject
openssl verify -CAfile ca.pem server.pem
E

new raisin-bats-failing bats
put tests/slug.bats <<'E'
setup() { source ./slug.sh; }
@test "lower case" { [ "$(slug Hello)" = hello ]; }
@test "error messages become slugs" { run slug "Error: No File"; [ "$status" -eq 0 ]; [ "$output" = "error-no-file" ]; }
@test "umlauts are spelled out" {
  run slug "Tür zu"
  echo "# got: $output" >&3
  [ "$output" = "tuer-zu" ]
}
@test "empty" { [ -z "$(slug '')" ]; }
E
put slug.sh <<'E'
slug() { echo "$1" | tr 'A-Z' 'a-z' | tr -cs 'a-z0-9' '-' | sed 's/^-//; s/-$//'; }
E
run <<'E'
shellcheck -s bash slug.sh || true
bats --formatter tap tests
E

new sesame-sshd-denied ssh
[ -n "$SKIP" ] || { mkdir -p /run/sshd; ssh-keygen -q -t ed25519 -N '' -f hostkey; ssh-keygen -q -t ed25519 -N '' -f deploykey; printf 'Port 45393\nListenAddress 127.0.0.1\nHostKey %s/hostkey\nPidFile %s/sshd.pid\nPasswordAuthentication no\nAuthorizedKeysFile %s/authorized\nUsePAM no\n' "$P" "$P" "$P" > sshd_config; /usr/sbin/sshd -f "$P/sshd_config"; }
put release.sh <<'E'
set -e
opts="-o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -i deploykey"
echo "checking artifacts"; ls *.sh
echo "uploading to 127.0.0.1"
scp $opts -P 45393 release.sh deploy@127.0.0.1:/srv/
echo "restart"; ssh $opts -p 45393 deploy@127.0.0.1 systemctl restart app
E
run <<'E'
sh release.sh
E
[ -n "$SKIP" ] || kill "$(cat sshd.pid)"

new tamarind-zip-password shell
put a.txt <<'E'
secret
E
[ -n "$SKIP" ] || { zip -q -P right assets.zip a.txt; rm a.txt; }
run <<'E'
unzip -l assets.zip
unzip -o -P "$ASSETS_PASSWORD" assets.zip
cat a.txt
E

new vanilla-envsubst-empty shell
put render.sh <<'E'
#!/usr/bin/env bash
set -uo pipefail
required="APP_HOST APP_PORT APP_TOKEN"
missing=()
for v in $required; do
  if [ -z "${!v:-}" ]; then missing+=("$v"); else echo "  $v is set"; fi
done
if (( ${#missing[@]} )); then
  printf '\e[31m✗\e[0m %s\n' "not deployable: ${missing[*]} not set in this stage"
  exit 64
fi
envsubst < app.yml.tpl > app.yml
E
run <<'E'
export APP_HOST=app.internal APP_PORT=8080
bash render.sh
kubectl apply -f app.yml
E

new wasabi-healthcheck-loop shell
put server.py <<'E'
import http.server, logging, sys, time
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
logging.info("starting wasabi")
logging.error("cache directory missing, running without cache")
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(503); self.end_headers(); self.wfile.write(b'{"status":"down","db":"migration 0042 pending"}')
    def log_message(self, f, *a): logging.info(f, *a)
http.server.HTTPServer(("127.0.0.1", 45394), H).serve_forever()
E
put wait.sh <<'E'
python3 server.py & pid=$!
trap 'kill $pid; echo "server stopped"' EXIT
for i in 1 2 3 4; do
  sleep 1
  body=$(curl -s http://127.0.0.1:45394/ready)
  case $body in *'"status":"up"'*) echo ready; exit 0;; esac
  echo "not ready yet ($i of 4): $body"
done
echo "server did not become ready within 4 s"
exit 1
E
run <<'E'
bash wait.sh
npm run e2e
E

new yuzu-sudo-missing shell
put setup.sh <<'E'
#!/bin/sh -e
echo "installing fonts"
mkdir -p fonts && touch fonts/a.ttf
fc-cache-not-needed 2>/dev/null || true
sudo-ng sysctl -w vm.max_map_count=262144
echo "setup complete"
E
run <<'E'
sh -ex setup.sh
E

new agave-file-size-limit shell
put gen.sh <<'E'
echo "generating fixtures"
for i in 1 2 3; do head -c 300000 /dev/zero | tr '\0' 'e' > fixture$i.txt && echo "fixture$i.txt $(wc -c < fixture$i.txt) bytes"; done
E
run <<'E'
bash gen.sh
find . -name '*.txt' -size +100k | sort > big.txt
if [ -s big.txt ]; then echo 'files above 100 KiB must go to LFS:'; cat big.txt; false; fi
E

new basil-sqlite-syntax sqlite3
put migrations/001_init.sql <<'E'
CREATE TABLE herbs (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO herbs(name) VALUES ('basil'), ('error herb');
E
put migrations/002_area.sql <<'E'
ALTER TABLE herbs ADD COLUMN area REAL DEFAULT 0;
E
put migrations/003_rename.sql <<'E'
ALTER TABLE herbs RENAME COLUMN area TO square_metres;
CREATE INDEX herbs_name ON herbs(name)
CREATE INDEX herbs_area ON herbs(square_metres);
E
run <<'E'
for f in migrations/*.sql; do echo "apply $f"; sqlite3 -bail herbs.db < "$f" || exit 1; done
sqlite3 herbs.db .schema
E

new chive-sqlite-foreign-key sqlite3
put check.sh <<'E'
set -e
sqlite3 shop.db 'CREATE TABLE c(id INTEGER PRIMARY KEY); CREATE TABLE o(id INTEGER PRIMARY KEY, c INTEGER REFERENCES c(id), state TEXT CHECK (state IN ("new","paid","error")));'
sqlite3 shop.db "INSERT INTO c VALUES (1),(2); INSERT INTO o VALUES (1,1,'new'),(2,2,'error');"
echo "importing orders.csv"
sqlite3 shop.db ".mode csv" ".import orders.csv o"
sqlite3 -bail shop.db "INSERT INTO o SELECT id+100, c, 'refund' FROM o;"
echo "imported"
E
put orders.csv <<'E'
3,1,paid
4,2,paid
E
run <<'E'
sh check.sh
E
