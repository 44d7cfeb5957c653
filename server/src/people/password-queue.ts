/**
 * The queue for password checks. One is checked at a time, about a tenth of a second each, so that
 * guessers use at most one core, and at most one of the four threads that read files.
 *
 * Next is the address with the fewest checks since the queue was last empty, then its login with
 * the fewest, then the latest arrival. So two hundred guesses from one address compete with each
 * other, and another user's sign-in waits only for the running check. The latest arrival still
 * waits for a response; the first of many mostly do not. A device that signed in before
 * (`known-devices.ts`) has its own queue, which gets every second turn: it waits for at most two
 * passwords of others. When the queue is full or a check waits too long, the oldest entry of the
 * callers with most entries is refused with a 429.
 */
import { Refusal } from '../lib/refusal.ts'

const maxSlots = 64
const maxWaitMs = 1_500
/** Of a known device. It has few places: more at once are those of a guesser. */
const knownWaitMs = 10_000
const maxKnownSlots = 64
const maxOfOneDevice = 2
const retrySeconds = 2
const maxKeys = 10_000

/** From where, and about whom. */
export interface Requester {
  address: string
  login: string
  /** It signed in to this account before. */
  device?: string | undefined
}

export interface PasswordQueue {
  /** Runs `work` when it is its turn; throws a 429 if that does not come. */
  runYielding<T>(requester: Requester, work: () => Promise<T>): Promise<T>
}

interface Waiting {
  address: string
  login: string
  device: string | undefined
  begin: () => void
  refuse: () => void
}

const tooMany = () => new Refusal(429, `Too many sign-in attempts. Try again in ${retrySeconds} seconds`, retrySeconds)

/** A household has one IPv4 address, and a whole network (64 bits) of IPv6 ones. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  const lastGroups = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - groups.length - lastGroups.length) }, () => '0')
  return [...groups, ...zeros, ...lastGroups].slice(0, 4).join(':')
}

export function createPasswordQueue(limits: { maxWaiting?: number; waitMs?: number } = {}): PasswordQueue {
  const { maxWaiting = maxSlots, waitMs = maxWaitMs } = limits
  /** The oldest first. */
  const waiting = new Set<Waiting>()
  const knownDevices = new Set<Waiting>()
  let wasKnown = false
  /** Turns since there was a line, by address and by login at an address. */
  const turnsOfKey = new Map<string, number>()
  let busy = false

  const loginKey = ({ address, login }: Waiting) => `${address} ${login}`
  const countTurn = (key: string) => {
    // Under a distributed attack no caller had more than others.
    if (turnsOfKey.size > maxKeys) turnsOfKey.clear()
    turnsOfKey.set(key, (turnsOfKey.get(key) ?? 0) + 1)
  }

  function next(): Waiting | undefined {
    let best: Waiting | undefined
    let fewest: [number, number] = [Infinity, Infinity]
    for (const entry of waiting) {
      const had: [number, number] = [turnsOfKey.get(entry.address) ?? 0, turnsOfKey.get(loginKey(entry)) ?? 0]
      if (had[0] > fewest[0] || (had[0] === fewest[0] && had[1] > fewest[1])) continue
      best = entry
      fewest = had
    }
    return best
  }

  /** The oldest of the login with most places, at the address with most. */
  function worst(): Waiting | undefined {
    const queuedOfKey = new Map<string, number>()
    for (const entry of waiting)
      for (const key of [entry.address, loginKey(entry)]) queuedOfKey.set(key, (queuedOfKey.get(key) ?? 0) + 1)
    let found: Waiting | undefined
    let max: [number, number] = [0, 0]
    for (const entry of waiting) {
      const has: [number, number] = [queuedOfKey.get(entry.address) ?? 0, queuedOfKey.get(loginKey(entry)) ?? 0]
      if (has[0] < max[0] || (has[0] === max[0] && has[1] <= max[1])) continue
      found = entry
      max = has
    }
    return found
  }

  function goOn(): void {
    const [ofKnown] = knownDevices
    const isKnown = ofKnown !== undefined && (!wasKnown || waiting.size === 0)
    const entry = isKnown ? ofKnown : next()
    wasKnown = isKnown
    busy = entry !== undefined
    if (!entry) {
      turnsOfKey.clear()
      return
    }
    knownDevices.delete(entry)
    waiting.delete(entry)
    if (!isKnown) {
      countTurn(entry.address)
      countTurn(loginKey(entry))
    }
    entry.begin()
  }

  const mayBeKnown = ({ device }: Waiting): boolean =>
    device !== undefined &&
    knownDevices.size < maxKnownSlots &&
    [...knownDevices].filter((one) => one.device === device).length < maxOfOneDevice

  function waitForTurn(requester: Requester): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        address: networkOf(requester.address),
        login: requester.login.toLowerCase().slice(0, 64),
        device: requester.device,
        begin() {
          clearTimeout(timer)
          resolve()
        },
        refuse() {
          clearTimeout(timer)
          waiting.delete(entry)
          knownDevices.delete(entry)
          reject(tooMany())
        },
      }
      const isKnown = mayBeKnown(entry)
      const timer = setTimeout(entry.refuse, isKnown ? Math.max(knownWaitMs, waitMs) : waitMs)
      ;(isKnown ? knownDevices : waiting).add(entry)
      if (!busy) goOn()
      else if (waiting.size > maxWaiting) worst()?.refuse()
    })
  }

  return {
    async runYielding(requester, work) {
      await waitForTurn(requester)
      try {
        return await work()
      } finally {
        goOn()
      }
    },
  }
}
