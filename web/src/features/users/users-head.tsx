import { ArrowDown, ArrowUp } from 'lucide-react'
import { useId } from 'react'

import { cx } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { columnOf, columns, isReversed, nextOrder, type UserColumn, type UserOrder } from './user-order.ts'

/** The widths that the head and the rows share. */
export const width: Record<UserColumn, string> = {
  login: 'min-w-0 flex-1',
  role: 'lg:w-20 lg:shrink-0',
  type: 'lg:w-20 lg:shrink-0',
  created: 'lg:w-40 lg:shrink-0',
  seen: 'lg:w-40 lg:shrink-0',
}

interface HeadProps {
  order: UserOrder
  onOrder: (order: UserOrder) => void
}

/** The column headings, each of which sorts. */
function Columns({ order, onOrder }: HeadProps) {
  const Arrow = isReversed(order) ? ArrowUp : ArrowDown
  return (
    <div
      role="group"
      aria-label="Sort by"
      className="flex min-h-9 items-center gap-3 border-b border-line pr-29 pl-13 text-sm text-muted max-lg:hidden touch:min-h-11"
    >
      {columns.map(({ column, label }) => {
        const isCurrent = columnOf(order) === column
        return (
          <span key={column} className={cx('flex shrink-0', column === 'login' ? 'flex-1' : width[column])}>
            <button
              type="button"
              aria-pressed={isCurrent}
              className={cx(
                'flex h-8 items-center gap-1 rounded-sm hover:text-ink touch:h-11',
                isCurrent && 'font-medium text-ink',
              )}
              onClick={() => onOrder(nextOrder(order, column))}
            >
              {label}
              {isCurrent && isReversed(order) && <span className="sr-only">, reversed</span>}
              <Arrow className={cx('size-3', !isCurrent && 'invisible')} aria-hidden="true" />
            </button>
          </span>
        )
      })}
    </div>
  )
}

/** Replaces the column headings if rows have no columns. */
function Choice({ order, onOrder }: HeadProps) {
  const id = useId()
  const current = columnOf(order)
  const Arrow = isReversed(order) ? ArrowUp : ArrowDown
  return (
    <div className="flex min-h-9 items-center gap-2 border-b border-line pr-2 pl-4 text-sm text-muted lg:hidden touch:min-h-11">
      <label htmlFor={id}>Sort by</label>
      <select
        id={id}
        value={current}
        className="h-8 rounded-md border border-line bg-canvas px-1.5 text-ink touch:h-11"
        onChange={(event) => {
          const next = columns.find(({ column }) => column === event.target.value)
          if (next) onOrder(next.column)
        }}
      >
        {columns.map(({ column, label }) => (
          <option key={column} value={column}>
            {label}
          </option>
        ))}
      </select>
      <IconButton
        label="Reverse the order"
        aria-pressed={isReversed(order)}
        side="right"
        onClick={() => onOrder(nextOrder(order, current))}
      >
        <Arrow className="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  )
}

/** The order of the users. */
export function UsersHead(props: HeadProps) {
  return (
    <>
      <Columns {...props} />
      <Choice {...props} />
    </>
  )
}
