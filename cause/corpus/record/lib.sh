# Records steps that fail, each into $OUT/NAME.log (cause/corpus/README.md). Needs root on Linux (a mount namespace, so that every project is in /drone/src).
#   new NAME TOOL      an empty project, and the working directory in it
#   run <<'END'        its step: one command per line; a block between lines `<<<` and `>>>` is one command
# TTY=1 gives the step a terminal (colours, progress bars, \r\n); PRE='...' is run before, unseen.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${OUT:=/tmp/corpus-logs}" "${WORK:=/tmp/corpus}" "${ONLY:=}"
mkdir -p "$OUT" "$WORK" /drone/src
export CI=true DRONE=true DRONE_BRANCH=main NO_UPDATE_NOTIFIER=1 npm_config_audit=false npm_config_fund=false \
  npm_config_update_notifier=false PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore GIT_TERMINAL_PROMPT=0 \
  TERM=xterm-256color npm_config_userconfig=/tmp/corpus-npmrc GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.com GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.com

new() {
  NAME=$1 TOOL=$2 P=$WORK/$1
  SKIP=
  if [ -n "$ONLY" ] && ! [[ " $ONLY " == *" $NAME "* ]]; then SKIP=1; fi
  if [ -z "$ONLY" ] && [ -e "$OUT/$NAME.log" ]; then SKIP=1; fi
  # A name that is left alone is written elsewhere: another recording may be running in its place.
  if [ -n "$SKIP" ]; then P=$(mktemp -d); else rm -rf "$P"; fi
  mkdir -p "$P"
  cd "$P" || exit 1
}

run() {
  local script=$WORK/$NAME.sh raw=$WORK/$NAME.raw
  python3 -c '
import sys, shlex
out, block = ["set -e\n"], None
for line in sys.stdin.read().splitlines():
    if line == "<<<": block = []
    elif line == ">>>":
        text = "\n".join(block); block = None
        out.append("printf \"+ %s\\n\" " + shlex.quote(text) + "\n" + text + "\n")
    elif block is not None: block.append(line)
    elif line: out.append("printf \"+ %s\\n\" " + shlex.quote(line) + "\n" + line + "\n")
sys.stdout.write("\n".join(out))' > "$script"
  [ -n "$SKIP" ] && return
  local step="mount --bind '$P' /drone/src && cd /drone/src && { ${PRE:-true}; } >/dev/null 2>&1; exec ${STEPSHELL:-/bin/sh} '$script'"
  if [ -n "${TTY:-}" ]; then
    unshare -m timeout -k 5 "${LIMIT:-400}" script -qec "$step" /dev/null > "$raw" 2>&1 < /dev/null
  else
    unshare -m timeout -k 5 "${LIMIT:-400}" /bin/sh -c "$step" > "$raw" 2>&1 < /dev/null
  fi
  local code=$?
  python3 "$here/clean.py" "$raw" "$OUT/$NAME.log" "$P" "$script"
  echo "{\"name\":\"$NAME\",\"tool\":\"$TOOL\",\"exit\":$code}" >> "$WORK/meta.jsonl"
  echo "$NAME exit $code lines $(wc -l < "$OUT/$NAME.log")"
}
