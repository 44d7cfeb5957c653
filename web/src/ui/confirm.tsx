import { useState } from 'react'

import { Button } from './button.tsx'
import { CheckboxField } from './checkbox-field.tsx'
import { openDialog } from './confirm-host.tsx'
import { Dialog } from './dialog.tsx'

export interface ConfirmOptions {
  /** The question, verbatim from the specification. */
  title: string
  /** The label of the confirming button, for example "Delete secret". */
  action: string
  /** The consequence in one sentence. */
  description?: string
  danger?: boolean
  /** An additional action, which the user can deselect here. */
  also?: { label: string; help?: string }
}

export interface Confirmed {
  yes: boolean
  also: boolean
}

interface Question extends ConfirmOptions {
  answer: (answer: Confirmed) => void
}

/** The open question. */
let open: Question | undefined

const no: Confirmed = { yes: false, also: false }

/** Asks and waits for the answer; only a click on the action confirms. */
export const confirmWith = (options: ConfirmOptions): Promise<Confirmed> =>
  new Promise((resolve) => {
    open?.answer(no)
    open = {
      ...options,
      answer: (answer) => {
        open = undefined
        openDialog.set(null)
        resolve(answer)
      },
    }
    openDialog.set(<Asked key={options.title} asked={open} />)
  })

export const confirm = async (options: Omit<ConfirmOptions, 'also'>): Promise<boolean> =>
  (await confirmWith(options)).yes

function Asked({ asked }: { asked: Question }) {
  const [also, setAlso] = useState(true)
  const cancel = () => asked.answer(no)
  return (
    <Dialog
      open
      onClose={cancel}
      title={asked.title}
      description={asked.description}
      footer={
        <>
          <Button variant={asked.danger ? 'danger' : 'primary'} onClick={() => asked.answer({ yes: true, also })}>
            {asked.action}
          </Button>
          <Button onClick={cancel}>Cancel</Button>
        </>
      }
    >
      {asked.also && <CheckboxField {...asked.also} checked={also} onChange={setAlso} />}
    </Dialog>
  )
}
