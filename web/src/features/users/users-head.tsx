import { ArrowDown, ArrowUp } from 'lucide-react'

import { cx } from '../../ui/class-names.ts'
import { columnOf, columns, isReversed, orderAfter, type UserColumn, type UserOrder } from './user-order.ts'

/** Widths that the head and the rows share. */
export const width: Record<UserColumn, string> = {
  login: 'min-w-0 flex-1',
  role: 'lg:w-20 lg:shrink-0',
  type: 'lg:w-20 lg:shrink-0',
  created: 'lg:w-40 lg:shrink-0',
  seen: 'lg:w-40 lg:shrink-0',
}

/** The names of the columns, each of which sorts; where rows have no columns the names are in a line. */
export function UsersHead({ order, onOrder }: { order: UserOrder; onOrder: (order: UserOrder) => void }) {
  const Arrow = isReversed(order) ? ArrowUp : ArrowDown
  return (
    <div
      role="group"
      aria-label="Sort by"
      className="flex min-h-9 items-center gap-3 overflow-x-auto border-b border-line pr-2 pl-4 text-sm text-muted lg:pr-29 lg:pl-13"
    >
      <span aria-hidden="true" className="shrink-0 max-sm:hidden lg:hidden">
        Sort by
      </span>
      {columns.map(({ column, label }) => {
        const here = columnOf(order) === column
        return (
          <span key={column} className={cx('flex shrink-0', column === 'login' ? 'lg:flex-1' : width[column])}>
            <button
              type="button"
              aria-pressed={here}
              className={cx(
                'flex h-8 items-center gap-1 rounded-sm hover:text-ink touch:h-11',
                here && 'font-medium text-ink',
              )}
              onClick={() => onOrder(orderAfter(order, column))}
            >
              {label}
              {here && isReversed(order) && <span className="sr-only">, the other way round</span>}
              <Arrow className={cx('size-3', !here && 'invisible')} aria-hidden="true" />
            </button>
          </span>
        )
      })}
    </div>
  )
}
