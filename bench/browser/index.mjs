// The measures of the page, one row each.
import { cause } from './cause.mjs'
import { fifty, thousands, weight } from './dashboard.mjs'
import { events } from './events.mjs'
import { filter } from './filter.mjs'
import { graphBig, graphSmall } from './graph.mjs'
import { live, liveEach, liveSlow } from './live.mjs'
import { paint } from './paint.mjs'
import { hundredThousand, logEnd, million, pattern, search, sweepBig, sweepSmall } from './saved.mjs'
import { searchRepos } from './search-repos.mjs'

export const browserMeasures = [
  weight,
  fifty,
  paint,
  thousands,
  filter,
  searchRepos,
  events,
  hundredThousand,
  logEnd,
  million,
  sweepSmall,
  sweepBig,
  live,
  liveSlow,
  liveEach,
  search,
  pattern,
  graphSmall,
  graphBig,
  cause,
]
