// The rows of issue 5's table, in its order.
import { fifty, thousands, weight } from './dashboard.mjs'
import { events } from './events.mjs'
import { filter } from './filter.mjs'
import { graphBig, graphSmall } from './graph.mjs'
import { live } from './live.mjs'
import { hundredThousand, million, search, sweepBig, sweepSmall } from './saved.mjs'

export const browserMeasures = [
  weight,
  fifty,
  thousands,
  filter,
  events,
  hundredThousand,
  million,
  sweepSmall,
  sweepBig,
  live,
  search,
  graphSmall,
  graphBig,
]
