import { Plus } from 'lucide-react'
import { useState } from 'react'

import { useSearchParams } from '../../browser/navigation.tsx'
import { Button } from '../../ui/button.tsx'
import { NewBuildDialog, newBuildRequest } from '../dialogs/index.ts'

export function NewBuildButton({ repo }: { repo: { namespace: string; name: string } }) {
  const initial = newBuildRequest(useSearchParams())
  const [open, setOpen] = useState(initial !== undefined)
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden="true" />
        New Build
      </Button>
      <NewBuildDialog repo={repo} initial={initial} open={open} onClose={() => setOpen(false)} />
    </>
  )
}
