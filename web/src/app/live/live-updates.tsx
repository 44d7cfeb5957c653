import { useEffect } from 'react'

import { live } from './connection.ts'

/**
 * Keeps queries up to date while mounted. `since`: when this user's reads started, in milliseconds.
 */
export function LiveUpdates({ person, since }: { person: string; since: number }) {
  useEffect(() => {
    live.start(person, since)
    return live.stop
  }, [person, since])
  return null
}
