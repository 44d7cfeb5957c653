import { Star } from 'lucide-react'
import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { deleteView, saveView, useViews } from '../../api/views.ts'
import { useAddress, useNavigation } from '../../browser/navigation.tsx'
import { withParams } from '../../lib/search-params.ts'
import { Button } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/checkbox-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { filterParams, isFiltered, readAddress, type ListFilter, type ListName } from './filter.ts'
import { useListFilter } from './use-list-filter.ts'

/** The query of a saved view, always in the same order. */
const queryOf = (filter: ListFilter, list: ListName): string => withParams('', filterParams(filter, list)).slice(1)
const readQuery = (query: string, list: ListName): ListFilter => readAddress(new URLSearchParams(query), list)

/** The saved views of a list: a click opens one; the current filter can be saved as a new one. */
export function SavedViews({ list }: { list: ListName }) {
  const { filter } = useListFilter(list)
  const { views, own } = useViews(list)
  const { pathname, search } = useAddress()
  const { navigate } = useNavigation()
  const [saving, setSaving] = useState(false)
  const save = useAction(saveView(own), () => setSaving(false))
  const remove = useAction(deleteView(own))
  const query = queryOf(filter, list)
  const current = views.find((view) => queryOf(readQuery(view.query, list), list) === query)
  if (views.length === 0 && !isFiltered(filter)) return null
  return (
    <div role="group" aria-label="Saved views" className="flex flex-wrap items-center gap-2">
      {views.map((view) => (
        <Button
          key={view.name}
          size="sm"
          variant={view === current ? 'secondary' : 'quiet'}
          aria-pressed={view === current}
          className="max-w-full"
          onClick={() =>
            navigate(`${pathname}${withParams(search, filterParams(readQuery(view.query, list), list))}`, {
              keepOpen: true,
            })
          }
        >
          <span className="truncate">{view.name}</span>
          {view.default && <Star className="size-3.5 shrink-0 fill-current" aria-label="default" />}
        </Button>
      ))}
      {current && (
        <>
          <Button
            size="sm"
            variant="quiet"
            busy={save.pending}
            onClick={() => save.run({ ...current, default: !current.default })}
          >
            {current.default ? 'Stop using as default' : 'Use as default'}
          </Button>
          <Button size="sm" variant="quiet" busy={remove.pending} onClick={() => remove.run(current)}>
            Delete view
          </Button>
        </>
      )}
      {!current && isFiltered(filter) && !saving && (
        <Button size="sm" variant="quiet" onClick={() => setSaving(true)}>
          Save view
        </Button>
      )}
      {!current && saving && (
        <SaveForm
          busy={save.pending}
          names={views.map((view) => view.name)}
          where={own ? undefined : 'This server can’t store views, so they are saved in this browser.'}
          cancel={() => setSaving(false)}
          save={(name, isDefault) => save.run({ list, name, query, default: isDefault })}
        />
      )}
    </div>
  )
}

interface SaveFormProps {
  busy: boolean
  /** Names of existing views: saving under one of them replaces that view. */
  names: readonly string[]
  where: string | undefined
  save: (name: string, isDefault: boolean) => void
  cancel: () => void
}

function SaveForm({ busy, names, where, save, cancel }: SaveFormProps) {
  const [name, setName] = useState('')
  const [isDefault, setDefault] = useState(false)
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') save(name.trim(), isDefault)
      }}
    >
      <TextField hideLabel label="View name" placeholder="View name" value={name} onChange={setName} />
      <CheckboxField label="Default" checked={isDefault} onChange={setDefault} />
      <Button size="sm" type="submit" busy={busy} disabled={name.trim() === ''}>
        {names.includes(name.trim()) ? 'Replace view' : 'Save'}
      </Button>
      <Button size="sm" variant="quiet" onClick={cancel}>
        Cancel
      </Button>
      {where && <span className="text-sm text-muted">{where}</span>}
    </form>
  )
}
