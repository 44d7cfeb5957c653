/**
 * Kernel objects that outlive an account's processes: keys, and System V and POSIX IPC objects.
 * Node has no calls for keyrings, and `keyctl` may be missing; Perl, which every Debian has, can
 * make the system call.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const perl = '/usr/bin/perl'

/** The number of `keyctl(2)`. */
const callNumbers: Partial<Record<string, number>> = {
  x64: 250,
  ia32: 288,
  arm: 311,
  arm64: 219,
  riscv64: 219,
  loong64: 219,
  ppc64: 271,
  s390x: 280,
}

/** Without the caller's variables, which could name a library to load. */
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/**
 * Joins a new, unnamed session keyring, then executes the command. The keyring ends with its last
 * process. If the kernel has no keyrings (38), or a container forbids them (1), there is nothing to
 * leave behind. If the account has used up its quota (122), its own keyring is emptied first. Any
 * other error ends the step.
 */
const joinScript = `
my $call = shift() + 0;
sub join_new { return syscall($call, 1, 0) }
my $joined = join_new();
if ($joined == -1 && $!+0 == 122) { syscall($call, 7, $_) for -4, -5; $joined = join_new(); }
if ($joined == -1 && $!+0 != 38 && $!+0 != 1) { print STDERR "no keyring of its own: $!\\n"; exit 125 }
exec { $ARGV[0] } @ARGV;
exit 127;
`

/** The command prefix that gives a command its own keyring; empty if Perl is missing. */
export async function ownKeyring(arch: string = process.arch): Promise<readonly string[]> {
  const call = callNumbers[arch]
  if (call === undefined || !existsSync(perl)) return []
  const args = [perl, '-e', joinScript, String(call)]
  const works = await run(perl, [...args.slice(1), '/bin/true'], { cwd: '/', env }).catch(() => null)
  return works ? args : []
}

/**
 * Arguments: the number of `keyctl`, and the ids. Removes System V objects whose owner or creator
 * has one of the ids, and empties the ids' keyrings, running as each account: keyrings are looked
 * up by the calling user. The kernel's list is read until it names no further account: it is read
 * in parts, and omits an account if an earlier one disappears between two parts.
 */
const removeScript = `
my $call = shift() + 0;
my %ours = map { $_ => 1 } @ARGV;
my %remove = (shm => sub { shmctl($_[0], 0, 0) }, sem => sub { semctl($_[0], 0, 0, 0) }, msg => sub { msgctl($_[0], 0, 0) });
for my $kind (keys %remove) {
  open(my $list, '<', "/proc/sysvipc/$kind") or next;
  my @names = split ' ', <$list>;
  while (my $row = <$list>) {
    my @values = split ' ', $row;
    my %of = map { ($names[$_] => $values[$_]) } 0 .. $#names;
    next unless grep { defined && $ours{$_} } @of{qw(uid cuid)};
    $remove{$kind}->($values[1]);
  }
}
exit unless $call;
my (%holders, $before);
do {
  $before = keys %holders;
  open(my $users, '<', '/proc/key-users') or exit;
  while (<$users>) { $holders{$1} = 1 if /^\\s*(\\d+):/ && $ours{$1} }
} while (keys %holders > $before);
for my $uid (keys %holders) {
  my $child = fork();
  if (defined $child && $child == 0) {
    $) = "$uid $uid"; $( = $uid; $< = $uid; $> = $uid;
    exit if $> != $uid;
    syscall($call, 1, 0);
    syscall($call, 7, $_) for -4, -5;
    my $kept = syscall($call, 22, -1, -2);
    syscall($call, 7, $kept) if $kept > 0;
    exit;
  }
  waitpid($child, 0) if defined $child;
}
`

/**
 * POSIX message queues are files in a flat file system that may not be mounted; this mounts it for
 * this program only.
 */
const queuesScript = 'mount -n -t mqueue flightdeck /tmp && find /tmp -xdev -mindepth 1 -uid "+$1" -uid "-$2" -delete'

const options = { cwd: '/', env }

/**
 * Empties the keyrings of these accounts, and removes their System V objects. As root. What cannot
 * be removed, because a container does not allow it, stays.
 */
async function removeKeys(uids: readonly number[]): Promise<void> {
  const args = ['-e', removeScript, String(callNumbers[process.arch] ?? 0), ...uids.map(String)]
  await run(perl, args, options).catch(() => {})
}

/** Accounts that have keys, read as in `removeScript`. */
async function findKeyOwners(): Promise<ReadonlySet<number>> {
  const owners = new Set<number>()
  for (let before = -1; owners.size > before;) {
    before = owners.size
    // Where the kernel has no such list it has no keyrings.
    const users = await readFile('/proc/key-users', 'utf8').catch(() => '')
    for (const [, uid] of users.matchAll(/^ *(\d+):/gm)) owners.add(Number(uid))
  }
  return owners
}

/**
 * Empties the keyrings of those of the accounts that have keys. A program is started only for
 * these: the session keyring of an ordinary step disappears within a tenth of a second after its
 * end.
 */
export async function removeKeysOf(uids: readonly number[]): Promise<void> {
  const owners = await findKeyOwners()
  const found = uids.filter((uid) => owners.has(uid))
  if (found.length > 0) await removeKeys(found)
}

/** Removes keys, System V objects and POSIX queues of accounts from `first` to `last`. As root. */
export async function removeKernelObjects(first: number, last: number = first): Promise<void> {
  await removeKeys(Array.from({ length: last - first + 1 }, (_, index) => first + index))
  const ids = [String(first - 1), String(last + 1)]
  await run('unshare', ['--mount', '/bin/sh', '-c', queuesScript, 'sh', ...ids], options).catch(() => {})
}
