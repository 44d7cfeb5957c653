import { Plus } from 'lucide-react'
import { useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { NewBuildDialog } from '../dialogs/index.ts'

export function NewBuildButton({ repo }: { repo: { namespace: string; name: string } }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden="true" />
        New Build
      </Button>
      <NewBuildDialog repo={repo} open={open} onClose={() => setOpen(false)} />
    </>
  )
}
