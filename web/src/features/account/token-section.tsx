import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'

import { client } from '../../api/client.ts'
import { tokenQuery } from '../../api/queries.ts'
import { errorText } from '../../api/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.tsx'

const ask = () =>
  confirm({
    title: 'Are you sure you want to replace your token?',
    action: 'Replace token',
    description: 'Scripts and clients that use the present one are refused until they have the new one.',
    danger: true,
  })

/** For a token that somebody else may know. Beyond the specification's account page, so only in front of our own server. */
export function TokenSection() {
  const id = useId()
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: client.replaceToken,
    onSuccess: (answer) => {
      queryClient.setQueryData(tokenQuery().queryKey, answer)
      toast.success('Your token has been replaced')
    },
    onError: (error) => toast.error(`Unable to replace the token: ${errorText(error)}`),
  })
  const press = async () => {
    if (await ask()) mutate()
  }
  return (
    <section aria-labelledby={id} className="flex max-w-4xl min-w-0 flex-col gap-4">
      <header>
        <h2 id={id} className="text-lg font-semibold">
          Replace token
        </h2>
        <p className="text-muted">If somebody else may know it. The present token is refused from then on.</p>
      </header>
      <div>
        <Button busy={isPending} onClick={() => void press()}>
          Replace token
        </Button>
      </div>
    </section>
  )
}
