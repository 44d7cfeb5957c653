import { isFailed, type Step } from '@flightdeck/api'
import { SquareTerminal } from 'lucide-react'
import { useState } from 'react'

import { fixedQueryOf } from '../../../api/own-client.ts'
import { useCapability } from '../../../api/capabilities.ts'
import { errorText, queryClient } from '../../../api/query-client.ts'
import { copyText } from '../../../browser/copy.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { toast } from '../../../ui/toast.ts'
import type { StepAddress } from '../step/step-address.ts'

/** Copies a script that runs a failed step on the user's own machine. Flightdeck only. */
export function Reproduce({ address, step }: { address: StepAddress; step: Step }) {
  const own = useCapability('step_script')
  const [busy, setBusy] = useState(false)
  if (!own || !isFailed(step.status)) return null
  const { namespace, name, build, stage, step: number } = address
  const query = fixedQueryOf('getStepScript', namespace, name, build, stage, number)
  const copy = async () => {
    if (busy) return
    setBusy(true)
    try {
      const { text } = await queryClient.fetchQuery(query)
      if (await copyText(text)) toast.success('Script copied. Run it in a clone of the repository.')
      else toast.error('Your browser blocked copying')
    } catch (error) {
      toast.error(`Unable to create a script for this step: ${errorText(error)}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <IconButton
      label="Reproduce locally"
      hint="Copy a script that runs this step on your machine"
      side="left"
      aria-busy={busy}
      onClick={() => void copy()}
    >
      <SquareTerminal className="size-4" aria-hidden="true" />
    </IconButton>
  )
}
