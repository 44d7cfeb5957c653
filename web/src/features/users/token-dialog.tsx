import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

export interface NewToken {
  login: string
  token: string
}

/** The one time that a machine user's token can be seen (wire.md §1.2: only the answer to its creation has it). */
export function TokenDialog({ token, onClose }: { token: NewToken | undefined; onClose: () => void }) {
  return (
    <Dialog
      open={token !== undefined}
      onClose={onClose}
      title={`Token of ${token?.login ?? ''}`}
      description="Copy it now: it is not shown again."
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex items-center gap-2 rounded-md bg-raised py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 font-mono text-sm break-all">{token?.token}</code>
        <CopyButton text={token?.token ?? ''} label="Copy token" copiedLabel="Copied" />
      </div>
    </Dialog>
  )
}
