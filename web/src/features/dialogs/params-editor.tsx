import { X } from 'lucide-react'

import { isComplete } from './params.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useRowFocus } from '../../browser/use-row-focus.ts'
import type { ParamsState } from './use-params.ts'

/** An editor for key-value pairs (specification §5: both sides are needed to add one). */
export function ParamsEditor({ state }: { state: ParamsState }) {
  const { params, typed, setTyped } = state
  return (
    <fieldset ref={useRowFocus()} className="flex min-w-0 flex-col gap-2">
      <legend className="mb-2 text-sm font-medium">Parameters</legend>
      {params.length > 0 && (
        <ul className="rounded-md border border-line">
          {params.map((param) => (
            <li key={param.key} className="flex items-center gap-2 border-b border-line py-1 pr-1 pl-3 last:border-b-0">
              <code className="min-w-0 flex-1 font-mono text-sm">
                {param.key}={param.value}
              </code>
              <IconButton label={`Remove ${param.key}`} side="left" onClick={() => state.remove(param.key)}>
                <X className="size-4" aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-start gap-2">
        <TextField
          className="flex-1"
          label="Key"
          mono
          value={typed.key}
          onChange={(key) => setTyped({ ...typed, key })}
          error={state.error}
        />
        <TextField
          className="flex-1"
          label="Value"
          mono
          value={typed.value}
          onChange={(value) => setTyped({ ...typed, value })}
        />
        {/* Aligned with the fields, which have labels above and errors below. */}
        <Button
          className="mt-5.5"
          disabled={!isComplete(typed)}
          onClick={(event) => state.add(event.currentTarget.form)}
        >
          Add
        </Button>
      </div>
    </fieldset>
  )
}
