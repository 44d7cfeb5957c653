import { isFailed } from '@flightdeck/api'

import { pathData, type GraphLayout } from '../../lib/graph/layout.ts'
import { keyOf, type GraphItem } from '../../lib/graph/links.ts'
import { cx } from '../../ui/class-names.ts'

/** Hairlines; those that leave a failed node take its colour, those of the critical path are stronger. */
export function GraphLinks({
  layout,
  items,
  critical,
}: {
  layout: GraphLayout
  items: readonly GraphItem[]
  critical: ReadonlySet<string>
}) {
  const status = new Map(items.map((item) => [keyOf(item), item.status]))
  return (
    <svg width={layout.width} height={layout.height} className="absolute inset-0" fill="none" aria-hidden="true">
      {layout.links.map(({ from, to, points }) => {
        const strong = critical.has(from) && critical.has(to)
        const failed = isFailed(status.get(from) ?? '')
        return (
          <path
            key={`${from}>${to}`}
            d={pathData(points)}
            strokeWidth={strong ? 2 : 1}
            className={cx('stroke-current', failed ? 'text-danger' : strong ? 'text-muted' : 'text-line-strong')}
          />
        )
      })}
    </svg>
  )
}
