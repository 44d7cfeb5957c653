import { Button } from './button.tsx'

/** The rest of a list that is read page by page. */
export interface More {
  exists: boolean
  busy: boolean
  /** Why the last try to load more failed. */
  failed: string | undefined
  load: () => void
}

interface ShowMoreProps {
  more: More
  /** As in "More builds could not be loaded". */
  what: string
  label?: string | undefined
}

/** The button for the next page of a list, if there is one, and why it could not be loaded. */
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
