import { Button } from './button.tsx'

/** The remaining pages of a list. */
export interface More {
  exists: boolean
  busy: boolean
  /** Why the last attempt to load more failed. */
  failed: string | undefined
  load: () => void
}

interface ShowMoreProps {
  more: More
  /** For example "builds", as in "More builds could not be loaded". */
  what: string
  label?: string | undefined
}

/**
 * A button for the next page of a list, if there is one, and the error if it could not be loaded.
 */
export function ShowMore({ more, what, label = 'Show more' }: ShowMoreProps) {
  if (!more.exists) return null
  return (
    <div className="flex flex-col items-center gap-2">
      {more.failed && (
        <p className="text-danger">
          More {what} could not be loaded: {more.failed}
        </p>
      )}
      <Button busy={more.busy} onClick={more.load}>
        {label}
      </Button>
    </div>
  )
}
