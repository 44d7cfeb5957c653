# Sourced by the chains: what their steps have in common. Tools and sources stand where record/chains-tools.sh puts them.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
: "${CHAINS:=/tmp/cb}"
old=$PATH
export PATH=$CHAINS/bin:$CHAINS/venv/bin:$old npm_config_prefer_offline=true
put() { if [ -n "$SKIP" ]; then cat > /dev/null; else mkdir -p "$(dirname "$1")"; cat > "$1"; fi; }
# A package with its lock file, whose modules the step installs itself: pkg SCRIPTS DEPENDENCIES
pkg() {
  [ -n "$SKIP" ] && return
  printf '{\n  "name": "@acme/%s",\n  "version": "3.8.1",\n  "private": true,\n  "scripts": {\n%b\n  },\n  "devDependencies": {\n%b\n  }%b\n}\n' "${NAME%%-*}" "$1" "$2" "${3:-}" > package.json
  npm install --ignore-scripts --silent > /dev/null 2>&1 && rm -r node_modules || echo "$NAME: no lock file" >&2
}
# A real package's source, as the folder that the step stands in: src KIND FOLDER-OR-ARCHIVE
tarball() { [ -n "$SKIP" ] || tar xf "$1" --strip-components=1 -C .; }
copy() { [ -n "$SKIP" ] || { cp -a "$1/." . && chmod -R u+w .; }; }
# An edit that breaks it, or says that it did not: edit FILE SED-EXPRESSION
edit() { [ -n "$SKIP" ] || { cp "$1" /tmp/edit.$$; sed -i -E "$2" "$1"; cmp -s "$1" /tmp/edit.$$ && echo "$NAME: $1 is as it was" >&2; rm -f /tmp/edit.$$; return 0; }; }
# Many files from one text, `@` standing for the number: many COUNT NAME < TEXT
many() { local text i; text=$(cat); [ -n "$SKIP" ] && return; for i in $(seq 1 "$1"); do mkdir -p "$(dirname "${2//@/$i}")"; printf '%s\n' "${text//@/$i}" > "${2//@/$i}"; done; }
