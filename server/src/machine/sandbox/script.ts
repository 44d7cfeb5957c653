/**
 * The first process of a step's namespaces. It lays the mounts, makes the new root the only one,
 * starts the step with no rights, and waits. It is process 1 there: when it ends, the kernel ends
 * all that is left. Its environment is ours, never the step's, which could name a library to load
 * while we still have all rights.
 *
 * Arguments: table of mounts, root, mounts with how they are to be changed, then `--` and the
 * command: a shell that reads what it does from descriptor 3.
 */
export const firstProcess = `
[ $$ = 1 ] || exit 125
set -e
ulimit -c 0
mount -n -a -T "$1"
root=$2
shift 2
while [ "$1" != -- ]; do
  mount -n -o "$2" "$1"
  shift 2
done
shift
cd "$root"
pivot_root . .
umount -n -l .
cd /drone/src
set +e
exec 4>&2 2>/dev/null
(exec "$@" <&3 2>&4 3<&- 4>&-)
code=$?
exec 3<&- 4>&-
if kill -TERM -1; then
  i=0
  while [ $i -lt 40 ] && kill -0 -1; do sleep 0.05; i=$((i + 1)); done
fi
exit $code
`

/**
 * The last of what the step's shell reads; before it come the step's variables, which so no list of
 * processes shows. In one piece, since nothing can be read any more once the shell's input is
 * another one. Where memory runs out, the kernel ends steps before the server.
 */
export const becomeStep =
  '{ unset OLDPWD; echo 500 2>/dev/null >/proc/self/oom_score_adj; exec </dev/null; exec "$@"; }\n'

/**
 * Processes and threads of a stage's account: a fork bomb leaves the machine enough process ids to
 * end it, and to run other steps.
 */
const maxProcesses = 8192

/**
 * Limits the processes of an account that only one stage has. dash and BusyBox call the limit `-p`,
 * bash `-u`.
 */
export const limitProcesses = `ulimit -p ${maxProcesses} 2>/dev/null || ulimit -u ${maxProcesses} 2>/dev/null\n`

/**
 * Has a shell read what it does from descriptor 3, without a sandbox: the arguments are the step's
 * command.
 */
export const fromDescriptor = ['/bin/sh', '-c', 'exec /bin/sh -s "$@" <&3 3<&-', 'step']
