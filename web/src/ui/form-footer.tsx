import { Button } from './button.tsx'

export interface FormFooterProps {
  action: string
  /** The action is under way. */
  pending: boolean
  /** It, or another one for the same thing. */
  busy: boolean
  /** What the server refused; `elsewhere` while a notice says why, `unreached` where it did not even answer. */
  refusal: { reason: string; elsewhere: boolean; unreached: boolean } | undefined
  onCancel: () => void
}

const textOf = ({ reason, elsewhere, unreached }: NonNullable<FormFooterProps['refusal']>): string => {
  if (unreached)
    return 'The server could not be reached. Check your connection, then try again. Your input has been kept.'
  return elsewhere ? 'The server rejected this. Your input has been kept.' : reason
}

/** The end of a dialog's form: what the server refused, the action, and the way out. */
export function FormFooter({ action, pending, busy, refusal, onCancel }: FormFooterProps) {
  return (
    <>
      {refusal && (
        <p data-error className="rounded-md border-l-3 border-danger bg-danger-soft px-3 py-2 text-danger">
          {textOf(refusal)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={pending} disabled={busy}>
          {action}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </>
  )
}
