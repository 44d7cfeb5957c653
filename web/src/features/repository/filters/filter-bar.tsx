import { buildEvents, statuses } from '@flightdeck/api'
import { X } from 'lucide-react'

import { useBranchNames } from '../../../api/places.ts'
import { useMe } from '../../../api/session.ts'
import { useAddress, useNavigation, useSearchParams } from '../../../browser/navigation.tsx'
import { withParams } from '../../../lib/search-params.ts'
import { Button } from '../../../ui/button.tsx'
import { FilterField } from '../../../ui/filter-field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import type { RepositoryPageProps } from '../layout.tsx'
import {
  filterNames,
  filterParams,
  isFiltered,
  noFilter,
  readFilter,
  type BuildsFilter,
  type FilterName,
} from './filter.ts'

const labels: Record<FilterName, string> = {
  branch: 'Branch',
  event: 'Event',
  status: 'Status',
  author: 'Author',
  text: 'Text',
}
const choices = (any: string, values: readonly string[]) => [
  { value: '', label: any },
  ...values.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
]
const events = choices('Any event', buildEvents)
const shownStatuses = choices('Any status', statuses)
/** Opens the bar while nothing is filtered. */
const openParam = 'filters'
const fieldClass = 'min-w-32 flex-1'

/** The filter in the address, and a function that changes it there. */
export const useBuildsFilter = (): [BuildsFilter, (changes: Partial<BuildsFilter>) => void] => {
  const { pathname, search } = useAddress()
  const { navigate } = useNavigation()
  const filter = readFilter(useSearchParams())
  const change = (changes: Partial<BuildsFilter>): void => {
    const params = filterParams({ ...filter, ...changes })
    const next = Object.fromEntries(filterNames.map((name) => [name, params[name]]))
    navigate(`${pathname}${withParams(search, next)}`, { replace: true, keepOpen: true })
  }
  return [filter, change]
}

function Chips({ filter, change }: { filter: BuildsFilter; change: (changes: Partial<BuildsFilter>) => void }) {
  return (
    <ul aria-label="Filters" className="flex flex-wrap items-center gap-2">
      {filterNames
        .filter((name) => filter[name] !== '')
        .map((name) => (
          <li key={name}>
            <Button
              size="sm"
              className="max-w-full rounded-full"
              aria-label={`Remove filter ${labels[name]}: ${filter[name]}`}
              onClick={() => change({ [name]: '' })}
            >
              <span className="truncate">
                <span className="text-muted">{labels[name]}:</span> {filter[name].replaceAll('_', ' ')}
              </span>
              <X className="size-3.5" aria-hidden="true" />
            </Button>
          </li>
        ))}
      <li>
        <Button size="sm" variant="quiet" onClick={() => change(noFilter)}>
          Clear all
        </Button>
      </li>
    </ul>
  )
}

/** What the list of builds is filtered by. Stands on the page while there is a filter, or when the reader opens it. */
export function FilterBar(props: RepositoryPageProps) {
  const [filter] = useBuildsFilter()
  const isOpen = useSearchParams().has(openParam)
  return isOpen || isFiltered(filter) ? <Fields {...props} /> : null
}

/** Asks for the names of branches, so only a bar that is open has them. */
function Fields({ namespace, name }: RepositoryPageProps) {
  const [filter, change] = useBuildsFilter()
  const branches = useBranchNames(namespace, name)
  return (
    <search className="flex flex-col gap-2" aria-label="Builds">
      <div className="flex flex-wrap items-center gap-2">
        <FilterField
          label="Filter builds"
          className={fieldClass}
          value={filter.text}
          onChange={(text) => change({ text })}
        />
        <SelectField
          hideLabel
          className="w-36"
          label="Status"
          value={filter.status}
          options={shownStatuses}
          onChange={(status) => change({ status: status as BuildsFilter['status'] })}
        />
        <SelectField
          hideLabel
          className="w-36"
          label="Event"
          value={filter.event}
          options={events}
          onChange={(event) => change({ event: event as BuildsFilter['event'] })}
        />
        <FilterField
          type="text"
          label={labels.branch}
          className={fieldClass}
          value={filter.branch}
          onChange={(branch) => change({ branch })}
          choices={branches}
        />
        <FilterField
          type="text"
          label={labels.author}
          className={fieldClass}
          value={filter.author}
          onChange={(author) => change({ author })}
        />
      </div>
      {isFiltered(filter) && <Chips filter={filter} change={change} />}
    </search>
  )
}

/** In the page's header: the list begins high on the page, whatever it is filtered by. */
export function FilterButtons() {
  const [filter, change] = useBuildsFilter()
  const { pathname, search } = useAddress()
  const { navigate } = useNavigation()
  const me = useMe()
  const mine = me !== undefined && filter.author.toLowerCase() === me.login.toLowerCase()
  const isOpen = new URLSearchParams(search).has(openParam) || isFiltered(filter)
  const toggle = (): void => {
    const changes = isOpen
      ? Object.fromEntries([openParam, ...filterNames].map((name) => [name, undefined]))
      : { [openParam]: '' }
    navigate(`${pathname}${withParams(search, changes)}`, { replace: true, keepOpen: true })
  }
  return (
    <>
      {me && (
        <Button
          variant="quiet"
          className="max-md:hidden"
          aria-pressed={mine}
          onClick={() => change({ author: mine ? '' : me.login })}
        >
          Mine
        </Button>
      )}
      <Button aria-expanded={isOpen} onClick={toggle}>
        Filter
      </Button>
    </>
  )
}
