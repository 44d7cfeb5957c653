/**
 * Kernel keys of accounts whose stages have ended, with real accounts and keyrings. Perl creates
 * and searches the keys.
 */
import { execFileSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { removeKeysOf } from './kernel-objects.ts'

vi.setConfig({ testTimeout: 60_000 })
/** Ids that nothing else has; other files of tests have others. */
const [first, second, stranger] = [1_999_000_031, 1_999_000_032, 1_999_000_034]
/** System call numbers: add_key, keyctl. */
const numbers = { x64: [248, 250], arm64: [217, 219] }[process.arch as string]

/** Puts a key into the keyring of the account, which stays when its last process has ended. */
const addKey = (uid: number) =>
  execFileSync(
    '/usr/bin/perl',
    ['-e', `my ($t, $n, $v) = ('user', 'left', 'x'); exit(syscall(${numbers?.[0]}, $t, $n, $v, 1, -4) > 0 ? 0 : 1);`],
    { uid, gid: uid, cwd: '/' },
  )

/** Of this account, in its own keyring and that of its sessions. */
const hasKey = (uid: number) =>
  execFileSync(
    '/usr/bin/perl',
    [
      '-e',
      `my ($t, $n) = ('user', 'left'); print grep({ syscall(${numbers?.[1]}, 10, $_, $t, $n, 0) > 0 } -4, -5) + 0;`,
    ],
    { uid, gid: uid, cwd: '/', encoding: 'utf8' },
  ) !== '0'

test('keys of the accounts go, and none of another account', async ({ skip }) => {
  skip(numbers === undefined, 'the numbers of system calls are not known here')
  skip(process.geteuid?.() !== 0, 'only root starts processes as another account')
  const all = [first, second, stranger]
  try {
    for (const uid of all) addKey(uid)
  } catch {
    return skip('this machine has no keyrings')
  }
  expect(all.map(hasKey)).toEqual([true, true, true])
  await removeKeysOf([first, second])
  expect(all.map(hasKey)).toEqual([false, false, true])
  await removeKeysOf(all)
  expect(all.map(hasKey)).toEqual([false, false, false])
})
