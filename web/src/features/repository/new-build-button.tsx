import { Plus } from 'lucide-react'
import { useState } from 'react'

import { useActionParam } from '../../browser/action-param.ts'
import { useSearchParams } from '../../browser/navigation.tsx'
import { Button } from '../../ui/button.tsx'
import { NewBuildDialog, newBuildRequest } from '../dialogs/index.ts'

interface NewBuildButtonProps {
  repo: { namespace: string; name: string }
}

export function NewBuildButton(props: NewBuildButtonProps) {
  const { key, clear } = useActionParam()
  return <ButtonWithDialog key={key} {...props} onClosed={clear} />
}

function ButtonWithDialog({ repo, onClosed }: NewBuildButtonProps & { onClosed: () => void }) {
  const initial = newBuildRequest(useSearchParams())
  const [open, setOpen] = useState(initial !== undefined)
  const close = () => {
    setOpen(false)
    onClosed()
  }
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden="true" />
        New Build
      </Button>
      <NewBuildDialog repo={repo} initial={initial} open={open} onClose={close} />
    </>
  )
}
