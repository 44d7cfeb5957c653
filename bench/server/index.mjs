// The measures of the server, one row each.
import { eventMeasures } from './events.mjs'
import { following } from './following.mjs'
import { gateway } from './gateway.mjs'
import { late, readers, starting } from './live.mjs'
import { reconnectMeasures } from './reconnect.mjs'
import { between, filtered, finding, found, opening, pages, recent, repositoryList, savedLog } from './reads.mjs'

export const serverMeasures = [
  repositoryList,
  recent,
  opening,
  pages,
  between,
  savedLog,
  found,
  finding,
  filtered,
  readers,
  late,
  starting,
  following,
  gateway,
  ...eventMeasures,
  ...reconnectMeasures,
]
