import { buildEvents, statuses, type BuildCounts } from '@flightdeck/api'
import { useState, type ReactNode } from 'react'

import { useNow } from '../../browser/clock.ts'
import { useSearchParams } from '../../browser/navigation.tsx'
import { Button } from '../../ui/button.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { SelectField, type Option } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { filtersOf, type FilterName, type ListName } from './filter.ts'
import { totalWords, withCounts, type Noun } from './count-words.ts'
import { DefaultView } from './default-view.tsx'
import { FeedAddress, type FeedOf } from './feed-address.tsx'
import { FilterChips } from './filter-chips.tsx'
import { MineButton } from './mine-button.tsx'
import { SavedViews } from './saved-views.tsx'
import { dayText, readDay } from './typed-times.ts'
import { openParam, useChangeFilter, useListFilter } from './use-list-filter.ts'
import { labels, quickDates } from './words.ts'

const choices = (noChoice: string, values: readonly string[]) => [
  { value: '', label: noChoice },
  ...values.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
]
const events = choices('Any event', buildEvents)
const deployments = choices('Any event', ['promote', 'rollback'])
const shownStatuses = choices('Any status', statuses)

/** Wide enough for the whole text of the selected option. */
const choiceClass = 'xl:min-w-36 xl:flex-1'
/**
 * The text field fills the rest of its row of four columns; indexed by the number of other fields
 * in the last row.
 */
const textSpans = ['md:col-span-4', 'md:col-span-3', 'md:col-span-2', 'md:col-span-1']
const between = 'between'
const dateChoices = [{ value: '', label: 'Any date' }, ...quickDates, { value: between, label: 'Dates…' }]

/** Predefined dates, or two typed dates. */
function Dates({ list }: { list: ListName }) {
  const { filter } = useListFilter(list)
  const change = useChangeFilter(list)
  const now = useNow('minute')
  const { since, until } = filter
  const quick = until === '' && (since === '' || quickDates.some(({ value }) => value === since))
  const choose = (value: string): void =>
    change({ since: value === between ? dayText(readDay('7d', now).start) : value, until: '' })
  return (
    <>
      <SelectField
        hideLabel
        className={choiceClass}
        label="Date"
        value={quick ? since : between}
        options={dateChoices}
        onChange={choose}
      />
      {!quick &&
        (['since', 'until'] as const).map((name) => (
          <TextField
            key={name}
            hideLabel
            className={choiceClass}
            type="date"
            label={labels[name]}
            value={filter[name]}
            onChange={(value) => change({ [name]: value })}
          />
        ))}
    </>
  )
}

/** The noun for the rows of each list. */
const nounOf: Record<ListName, Noun> = {
  builds: ['build', 'builds'],
  branches: ['branch', 'branches'],
  deployments: ['deployment', 'deployments'],
  pulls: ['pull request', 'pull requests'],
  feed: ['build', 'builds'],
}

/** The number of builds that match the filter, and the number for each option of the menus. */
export interface FilterCounts {
  counts: BuildCounts | undefined
  /** Whether `counts` belong to the current filter, not to the previous one. */
  isCurrent: boolean
  /** Called when a menu that shows counts opens. */
  onOpen?: () => void
}

interface FilterFieldsProps {
  list: ListName
  /** Suggestions while typing. */
  branches?: readonly string[]
  environments?: readonly string[]
  /** Without it the list has no feed. */
  feed?: FeedOf
  counts?: FilterCounts | undefined
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Shown while there is a filter, or when the user opens it. `children`: the fields. */
export function FilterBar({ list, children }: { list: ListName; children?: ReactNode }) {
  const { filtered } = useListFilter(list)
  const openValue = useSearchParams().get(openParam)
  if (filtered || openValue === '') return children ?? <FilterFields list={list} />
  return openValue === null && <DefaultView list={list} />
}

/** The fields of a list's filter, and a chip for each value. */
export function FilterFields({ list, branches, environments, feed, counts: counted }: FilterFieldsProps) {
  const { filter, filtered } = useListFilter(list)
  const change = useChangeFilter(list)
  const [isWhole, setWhole] = useState(false)
  const has = (name: FilterName): boolean => (filtersOf[list] as readonly FilterName[]).includes(name)
  const noun = nounOf[list]
  const [, rows] = noun
  // The two days of a period share a menu.
  const others = filtersOf[list].length - 2
  // On a phone nine fields would push the list out of sight.
  const isLong = has('branch')
  const lesserClass = isLong && !isWhole ? 'max-md:hidden' : ''
  const typed = (name: FilterName) => ({
    type: 'text' as const,
    className: `${lesserClass} xl:flex-1`,
    label: labels[name],
    value: filter[name],
    onChange: (value: string) => change({ [name]: value }),
  })
  const counts = counted?.counts
  const optionsOf = (name: 'status' | 'event', facet: 'statuses' | 'events', options: readonly Option[]) =>
    counts ? withCounts(options, filter[name], counts[facet], counts.capped) : options
  return (
    <search className="flex flex-col gap-2" aria-label={sentence(rows)}>
      <div className="grid grid-cols-2 items-center gap-2 md:grid-cols-4 xl:flex">
        <FilterField
          {...typed('text')}
          label={`Filter ${rows}`}
          type="search"
          className={`col-span-2 xl:flex-[1.5] ${textSpans[others % 4]}`}
        />
        <div className="contents" onFocus={counted?.onOpen}>
          <SelectField
            hideLabel
            className={choiceClass}
            label="Status"
            value={filter.status}
            options={optionsOf('status', 'statuses', shownStatuses)}
            onChange={(status) => change({ status })}
          />
          {has('event') && (
            <SelectField
              hideLabel
              className={choiceClass}
              label="Event"
              value={filter.event}
              options={optionsOf('event', 'events', list === 'deployments' ? deployments : events)}
              onChange={(event) => change({ event })}
            />
          )}
        </div>
        <Dates list={list} />
        {has('branch') && <FilterField {...typed('branch')} choices={branches ?? []} />}
        {has('environment') && <FilterField {...typed('environment')} choices={environments ?? []} />}
        <FilterField {...typed('author')} />
        {has('longer') && <FilterField {...typed('longer')} placeholder="Longer, 10m" />}
        {has('shorter') && <FilterField {...typed('shorter')} placeholder="Shorter, 1h" />}
        {list !== 'feed' && <MineButton list={list} className="md:hidden" />}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {isLong && (
          <Button
            size="sm"
            variant="quiet"
            className="md:hidden"
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? 'Fewer filters' : 'More filters'}
          </Button>
        )}
        {filtered && <FilterChips list={list} />}
        {/* The live region exists before its text: screen readers announce changes. */}
        {counted && (
          <p role="status" className={filtered ? 'min-h-lh min-w-28 text-sm text-muted tabular-nums' : 'sr-only'}>
            {filtered && counts && counted.isCurrent && totalWords(counts, noun)}
          </p>
        )}
        <SavedViews list={list} />
        {feed && <FeedAddress list={list} {...feed} />}
      </div>
    </search>
  )
}
