import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { createStore, useStore } from './store.ts'

export interface ConfirmOptions {
  /** The question, to the letter of the specification. */
  title: string
  /** The verb of the button that says yes, such as "Delete secret". */
  action: string
  /** The consequence in one sentence. */
  description?: string
  danger?: boolean
}

interface Question extends ConfirmOptions {
  answer: (yes: boolean) => void
}

const question = createStore<Question | undefined>(undefined)

/** Asks and waits for the answer; nothing but the pressed action is a yes. */
export const confirm = (options: ConfirmOptions): Promise<boolean> =>
  new Promise((resolve) => {
    question.get()?.answer(false)
    question.set({
      ...options,
      answer: (yes) => {
        question.set(undefined)
        resolve(yes)
      },
    })
  })

export function ConfirmHost() {
  const asked = useStore(question)
  if (!asked) return null
  const no = () => asked.answer(false)
  return (
    <Dialog
      open
      onClose={no}
      title={asked.title}
      description={asked.description}
      footer={
        <>
          <Button variant={asked.danger ? 'danger' : 'primary'} onClick={() => asked.answer(true)}>
            {asked.action}
          </Button>
          <Button onClick={no}>Cancel</Button>
        </>
      }
    />
  )
}
