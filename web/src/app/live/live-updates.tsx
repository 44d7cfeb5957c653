import { useEffect } from 'react'

import { live } from './connection.ts'

/** Keeps what is shown true for as long as it stands in the page. `since`: when this person's reads began, in milliseconds. */
export function LiveUpdates({ person, since }: { person: string; since: number }) {
  useEffect(() => {
    live.start(person, since)
    return live.stop
  }, [person, since])
  return null
}
