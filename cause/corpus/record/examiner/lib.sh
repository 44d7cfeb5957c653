# Sourced by the recordings beside it: the corpus's own `new` and `run`, and short helpers. PART=open|sealed says where they go.
: "${PART:=open}"
export OUT=${OUT:-/tmp/exam/$PART} WORK=/tmp/exam/w-$PART
. "${CORPUS:-$(dirname "${BASH_SOURCE[0]}")/..}/lib.sh"
export PATH=/opt/venv/bin:/tmp/exam/bin:/root/.pyenv/versions/3.11.7/bin:$PATH npm_config_prefer_offline=true DOCKER_HOST=unix:///tmp/exam/docker/d.sock
unset npm_config_yes PIP_FIND_LINKS; export GOFLAGS=
put() { if [ -n "$SKIP" ]; then cat > /dev/null; else mkdir -p "$(dirname "$1")"; cat > "$1"; fi; }
# A package with its lock file, whose modules the step installs itself: pkg SCRIPTS DEPENDENCIES [MORE]
pkg() {
  [ -n "$SKIP" ] && return
  printf '{\n  "name": "%s",\n  "version": "1.9.0",\n  "private": true,\n  "scripts": {\n%b\n  },\n  "devDependencies": {\n%b\n  }%b\n}\n' "${NAME%%-*}" "$1" "$2" "${3:-}" > package.json
  npm install --ignore-scripts --silent > /dev/null 2>&1 && rm -r node_modules || echo "$NAME: no lock file" >&2
}
commit() { [ -n "$SKIP" ] || { [ -d .git ] || git init -q -b main; git add -A; git commit -q -m "${1:-Initial import}"; }; }
edit() { [ -n "$SKIP" ] || { cp "$1" /tmp/exam/edit.$$; sed -i -E "$2" "$1"; cmp -s "$1" /tmp/exam/edit.$$ && echo "$NAME: $1 is as it was" >&2; rm -f /tmp/exam/edit.$$; return 0; }; }
many() { local text i; text=$(cat); [ -n "$SKIP" ] && return; for i in $(seq 1 "$1"); do mkdir -p "$(dirname "${2//@/$i}")"; printf '%s\n' "${text//@/$i}" > "${2//@/$i}"; done; }
unset RUST_BACKTRACE FORCE_COLOR NO_COLOR
# node_modules from an earlier step, linked: mods KEY DEPENDENCY...
mods() {
  [ -n "$SKIP" ] && return
  local key=$1 d=/tmp/exam/nm/$1; shift
  if [ ! -d "$d/node_modules" ]; then mkdir -p "$d" && (cd "$d" && echo '{"private":true}' > package.json && npm install --silent "$@" > /dev/null 2>&1) || echo "$NAME: no modules $key" >&2; fi
  cp -al "$d/node_modules" .
}
