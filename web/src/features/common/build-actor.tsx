import type { Build } from '@flightdeck/api'

import { actorOf } from '../../lib/actor.ts'
import { Avatar } from '../../ui/avatar.tsx'

/** The column of a list of builds with the person who started each, if there is room for it. */
export function BuildActor({ build }: { build: Build }) {
  const { login, avatar } = actorOf(build)
  return (
    <span className="hidden w-32 shrink-0 items-center gap-2 text-sm text-muted lg:flex xl:w-40">
      <Avatar login={login} src={avatar} />
      <span className="truncate">{login}</span>
    </span>
  )
}
