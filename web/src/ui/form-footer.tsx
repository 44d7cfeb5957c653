import { Button } from './button.tsx'

export interface FormFooterProps {
  action: string
  /** The action is pending. */
  pending: boolean
  /** This action, or another one for the same subject, is pending. */
  busy: boolean
  /**
   * The server's refusal; `elsewhere` while a toast shows the reason, `unreached` if the server did
   * not respond.
   */
  refusal: { reason: string; elsewhere: boolean; unreached: boolean } | undefined
  onCancel: () => void
}

const textOf = ({ reason, elsewhere, unreached }: NonNullable<FormFooterProps['refusal']>): string => {
  if (unreached)
    return 'The server could not be reached. Check your connection, then try again. Your input has been kept.'
  return elsewhere ? 'The server rejected this. Your input has been kept.' : reason
}

/** The footer of a dialog's form: the refusal, the action, and Cancel. */
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
