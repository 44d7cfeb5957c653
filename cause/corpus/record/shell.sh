#!/usr/bin/env bash
. "$(dirname "$0")/lib.sh"

new sh-command-not-found sh
mkdir -p dist; for i in $(seq 1 30); do echo x > dist/page-$i.html; done
run <<'END'
ls -l dist
tar czf site.tgz dist
rsyncc -av --delete dist/ deploy@www.example.com:/srv/www/
END

new sh-permission-denied sh
mkdir -p scripts; printf '#!/bin/sh\necho releasing\n' > scripts/release.sh; chmod 644 scripts/release.sh
run <<'END'
git --version
env | grep '^DRONE' | sort
./scripts/release.sh --channel stable
END

new sh-unbound sh
cat > deploy.sh <<'E'
#!/bin/bash
set -euo pipefail
echo "Deploying to ${TARGET:-staging}"
for host in web-1 web-2 web-3 web-4; do
  echo "-> $host: no error so far, 0 failed checks"
done
echo "token has ${#DEPLOY_TOKEN} characters"
E
run <<'END'
chmod +x deploy.sh
./deploy.sh
END

new sh-syntax sh
cat > ci.sh <<'E'
#!/bin/sh
set -e
for f in a b c; do
  echo "checking $f"
  if [ -f "$f" ]; then
    echo "found $f"
done
echo finished
E
run <<'END'
uname -s
sh ci.sh
END

new sh-test-silent sh
cat > VERSION <<'E'
1.4.2
E
run <<'END'
cat VERSION
echo "tag is v1.4.1"
test "v$(cat VERSION)" = "v1.4.1"
echo "tag and version agree"
END

new sh-xtrace sh
cat > build.sh <<'E'
set -ex
mkdir -p out
for m in core api web jobs mail search billing; do
  mkdir -p out/$m
  cp -r modules/$m/. out/$m/
  test -s out/$m/index.js
done
tar cf out.tar out
E
for m in core api web jobs mail search billing; do mkdir -p modules/$m; echo "x=1" > modules/$m/index.js; done
rm -r modules/mail
run <<'END'
bash build.sh
END

new sh-timeout timeout
cat > wait-for.sh <<'E'
#!/bin/bash
# waits for a database that never comes
i=0
while ! (echo > /dev/tcp/127.0.0.1/1) 2>/dev/null; do
  i=$((i+1))
  echo "waiting for database at 127.0.0.1:5432 (attempt $i): connection refused"
  sleep 0.1
done
E
run <<'END'
chmod +x wait-for.sh
timeout -v 8 ./wait-for.sh
END

new sh-oom-137 sh
cat > import.py <<'E'
import sys
rows = []
print("importing 4,000,000 rows", flush=True)
i = 0
while True:
    rows.append(bytes(1_000_000))
    i += 1
    if i % 50 == 0:
        print(f"imported {i*1000} rows", flush=True)
    if i == 1500:
        import os, signal
        os.kill(os.getpid(), signal.SIGKILL)
E
run <<'END'
bash -c 'python3 import.py; exit $?'
END

new sh-memoryerror python
cat > import.py <<'E'
import resource
resource.setrlimit(resource.RLIMIT_AS, (400_000_000, 400_000_000))
def load(n):
    rows = []
    for i in range(n):
        rows.append(bytearray(1_000_000))
        if i % 20 == 0:
            print("loaded", i * 1000, "rows, 0 errors", flush=True)
    return rows
def main():
    load(4000)
main()
E
run <<'END'
python3 import.py
END

new sh-disk-full cp
run <<'END'
mkdir -p /tmp/small
mount -t tmpfs -o size=3m tmpfs /tmp/small
for i in 1 2 3 4 5 6; do head -c 700000 /dev/zero > /tmp/small/layer-$i.bin; echo "wrote layer $i"; done
END

new curl-404 curl
mkdir -p site; echo ok > site/health
PRE='(python3 -m http.server 18471 --bind 127.0.0.1 -d site >/dev/null 2>&1 & echo $! > /tmp/corpus/http.pid); sleep 1'
run <<'END'
curl -fsS http://127.0.0.1:18471/health
curl -fSL -o tool.tgz http://127.0.0.1:18471/releases/v2.3.1/tool-linux-amd64.tgz
tar xzf tool.tgz
END
kill "$(cat /tmp/corpus/http.pid 2>/dev/null)" 2>/dev/null
PRE=

new curl-refused curl
run <<'END'
for i in 1 2 3; do echo "upload part $i"; done
curl --retry 4 --retry-connrefused --retry-delay 1 -f http://127.0.0.1:9/api/upload -d @/etc/hostname
END

new curl-resolve curl
run <<'END'
curl -fsSL https://get.tool.invalid/install.sh -o install.sh
sh install.sh
END

new wget-refused wget
run <<'END'
wget --version | head -1
wget http://127.0.0.1:18472/sdk/4.2/sdk-linux.tar.xz
END

new sh-pipefail-checksum sha256sum
for i in $(seq 1 40); do echo "part $i" > part-$i.bin; done
sha256sum part-*.bin > SHA256SUMS
echo tampered > part-27.bin
run <<'END'
ls | wc -l
sha256sum -c SHA256SUMS
END

new sh-retries-then-missing sh
cat > fetch.sh <<'E'
#!/bin/bash
try() { for n in 1 2 3; do
  if [ $n -lt 3 ]; then echo "ERROR: could not reach mirror-$n.example.com, retrying in ${n}s (attempt $n failed)" >&2; else echo "fetched $1 from mirror-3.example.com"; return 0; fi; done; }
for p in zlib openssl curl expat pcre libxml2 sqlite readline ncurses; do try $p; done
E
run <<'END'
bash fetch.sh
mkdir -p /tmp/prefix
cp build/libapp.so.1.2 /tmp/prefix/
echo installed
END

new sh-diff-generated git
git init -q; mkdir gen; for i in 1 2 3 4; do echo "export const v$i = $i" > gen/f$i.ts; done; git add .; git commit -qm a
cat > generate.sh <<'E'
for i in 1 2 3 4; do echo "generated gen/f$i.ts"; done
echo "export const v3 = 33" > gen/f3.ts
E
run <<'END'
sh generate.sh
git diff --exit-code
END

new ssh-hostkey ssh
run <<'END'
mkdir -p ~/.ssh
ssh -o BatchMode=yes -o ConnectTimeout=3 deploy@prod.internal.invalid 'systemctl restart app'
END

new tar-missing tar
mkdir dist; echo a > dist/a
run <<'END'
tar czvf app.tgz dist README.md LICENSE
sha256sum app.tgz
END

new jq-parse jq
echo '{"version": "1.2.0", "files": ["a", "b",]}' > manifest.json
run <<'END'
cat manifest.json
VERSION=$(jq -r .version manifest.json)
echo "building $VERSION"
END
