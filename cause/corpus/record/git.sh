#!/usr/bin/env bash
. "$(dirname "$0")/lib.sh"

new git-merge-conflict git
git init -q -b main; mkdir src
for i in $(seq 1 60); do echo "line $i"; done > src/app.txt; for f in $(seq 1 25); do echo $f > src/m$f.txt; done; git add .; git commit -qm base
git checkout -q -b feature; sed -i 's/line 30/line thirty/' src/app.txt; for f in $(seq 1 25); do echo "b $f" >> src/m$f.txt; git commit -qam "change $f"; done
git commit -qam f; git checkout -q main; sed -i 's/line 30/LINE 30/' src/app.txt; git commit -qam m
run <<'END'
git log --oneline -3
git merge --no-edit feature
npm test
END

new git-auth git
run <<'END'
git init -q
git remote add origin https://127.0.0.1:1/acme/private.git
git fetch --depth=50 origin +refs/heads/main:
git checkout -q main
END

new git-no-ref git
git init -q -b main origin.git; (cd origin.git; echo a > a; git add a; git commit -qm a)
run <<'END'
git clone -q origin.git work
git -C work fetch origin +refs/pull/418/head:
git -C work checkout FETCH_HEAD
END

new git-shallow git
mkdir o; cd o; git init -q -b main; for i in 1 2 3 4 5; do echo $i > a; git add a; git commit -qm "c$i"; done; git tag v1.0 HEAD~3; cd ..
run <<'END'
git clone --depth=1 --no-tags file:///drone/src/o work
cd work
git describe --tags --abbrev=0
END

new git-push-rejected git
git init -q --bare -b main up.git; git clone -q up.git a 2>/dev/null; cd a; git checkout -q -b main; echo 1 > f; git add f; git commit -qm 1; git push -q origin main; cd ..; git clone -q up.git b; cd a; echo 2 > f; git commit -qam 2; git push -q origin main; cd ../b; echo 3 > f; git commit -qam "Release 2.0.0"; cd ..
run <<'END'
cd b
git log --oneline
git push origin main
END

new git-patch git
git init -q -b main; mkdir p; for i in $(seq 1 40); do echo "v $i"; done > f.c; git add f.c; git commit -qm a
cp f.c g; sed -i 's/v 20/v twenty/' f.c; git diff > p/0001-fix.patch; git checkout -q f.c; sed -i 's/v 20/V20/; s/v 19/V19/' f.c; git commit -qam b
run <<'END'
git status --short
git apply --verbose p/0001-fix.patch
END

new git-submodule git
git init -q -b main; echo a > a; printf '[submodule "vendor/proto"]\n\tpath = vendor/proto\n\turl = ../proto-missing.git\n' > .gitmodules; git add .; git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,vendor/proto; git commit -qm a
run <<'END'
git remote add origin file:///drone/upstream/app.git
git submodule update --init --recursive
END

new git-dubious-owner git
git init -q -b main; echo a > a; git add a; git commit -qm a; chown -R 1000:1000 .
PRE='chown -R 1000:1000 /drone/src'
run <<'END'
id -u
git status
END
PRE=
