import { X } from 'lucide-react'

import { Button } from '../../ui/button.tsx'
import { filterNames, noFilter, type FilterName, type ListName } from './filter.ts'
import { useChangeFilter, useListFilter } from './use-list-filter.ts'
import { chipWords } from './words.ts'

/** The values of the filter, and why a value in the URL is invalid. */
export function FilterChips({ list }: { list: ListName }) {
  const { filter, faults } = useListFilter(list)
  const change = useChangeFilter(list)
  const set = filterNames.filter((name) => filter[name] !== '')
  return (
    <>
      <ul aria-label="Filters" className="contents">
        {set.map((name) => (
          <FilterChip
            key={name}
            {...chipWords(name, filter[name])}
            faulty={faults[name] !== undefined}
            remove={() => change({ [name]: '' })}
          />
        ))}
        <li>
          <Button size="sm" variant="quiet" onClick={() => change(noFilter)}>
            Clear all
          </Button>
        </li>
      </ul>
      <Faults faults={faults} />
    </>
  )
}

interface FilterChipProps {
  label: string
  value: string
  faulty: boolean
  remove: () => void
}

function FilterChip({ label, value, faulty, remove }: FilterChipProps) {
  return (
    <li className="min-w-0">
      <Button
        size="sm"
        className={`max-w-full rounded-full ${faulty ? 'border-danger' : ''}`}
        aria-label={`Remove filter ${label}: ${value}`}
        onClick={remove}
      >
        <span className="truncate">
          <span className="text-muted">{label}:</span> {value}
        </span>
        <X className="size-3.5" aria-hidden="true" />
      </Button>
    </li>
  )
}

function Faults({ faults }: { faults: Readonly<Partial<Record<FilterName, string>>> }) {
  const messages = Object.values(faults)
  if (messages.length === 0) return null
  return (
    <p role="alert" className="order-last basis-full text-danger wrap-anywhere">
      {messages.join(' ')} {messages.length === 1 ? 'This filter is not applied.' : 'These filters are not applied.'}
    </p>
  )
}
