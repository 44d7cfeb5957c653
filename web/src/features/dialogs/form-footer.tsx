import { Button } from '../../ui/button.tsx'

/** The end of a dialog's form: what the server refused, the action, and the way out. */
export function FormFooter({
  action,
  busy,
  error,
  onCancel,
}: {
  action: string
  busy: boolean
  error?: string | undefined
  onCancel: () => void
}) {
  return (
    <>
      {error && <p className="rounded-md bg-danger-soft px-3 py-2 text-danger">{error}</p>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={busy}>
          {action}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </>
  )
}
