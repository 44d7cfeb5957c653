import { useId } from 'react'

import { useAction } from '../../api/action.ts'
import { replaceToken } from '../../api/actions/people.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.tsx'

const ask = () =>
  confirm({
    title: 'Are you sure you want to replace your token?',
    action: 'Replace token',
    description: 'Scripts and clients will stop working until you give them the new token.',
    danger: true,
  })

/**
 * Replaces a token that may have leaked. Not part of the specification's account page, so only on
 * Flightdeck's own server.
 */
export function TokenSection() {
  const id = useId()
  const { run, pending } = useAction(replaceToken)
  const press = async () => {
    if (await ask()) run()
  }
  return (
    <section aria-labelledby={id} className="flex max-w-4xl min-w-0 flex-col gap-4">
      <header>
        <h2 id={id} className="text-lg font-semibold">
          Replace token
        </h2>
        <p className="text-muted">Use this if someone else may have seen your token. It stops working immediately.</p>
      </header>
      <div>
        <Button busy={pending} onClick={() => void press()}>
          Replace token
        </Button>
      </div>
    </section>
  )
}
