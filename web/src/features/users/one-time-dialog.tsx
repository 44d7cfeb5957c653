import { useId, useState } from 'react'

import { useListeners } from '../../browser/use-listeners.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { oneTimeValues, type OneTimeValue } from './one-time-values.ts'

const askLose = (): Promise<boolean> =>
  confirm({
    title: 'Close without copying?',
    action: 'Close',
    description: 'You won’t be able to see it again.',
    danger: true,
  })

const discard = (value: OneTimeValue): void => oneTimeValues.set(oneTimeValues.get().filter((other) => other !== value))

/**
 * Stays open across navigation. Until the value is copied, it closes only with *Done* or after a
 * confirmation: not on Escape, a click outside, or Back; on reload, the browser asks for
 * confirmation.
 */
export function OneTimeDialog({ value }: { value: OneTimeValue }) {
  const id = useId()
  const [copied, setCopied] = useState(false)
  useListeners('window', { beforeunload: (event) => event.preventDefault() }, { on: !copied })
  const close = async () => {
    if (copied || (await askLose())) discard(value)
  }
  return (
    <Dialog
      open
      precious
      outlivesPage
      onClose={() => void close()}
      title={value.title}
      description={value.description}
      footer={
        <Button variant="primary" onClick={() => discard(value)}>
          Done
        </Button>
      }
    >
      <div className="flex items-center gap-2 rounded-md bg-raised py-1.5 pr-1.5 pl-3">
        <code id={id} className="min-w-0 flex-1 font-mono text-sm break-all">
          {value.value}
        </code>
        <CopyButton
          text={value.value}
          textId={id}
          label={value.copyLabel}
          copiedLabel="Copied"
          onCopied={() => setCopied(true)}
        />
      </div>
    </Dialog>
  )
}
