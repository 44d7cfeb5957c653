import { useMe } from '../../api/session.ts'
import { useSearchParams } from '../../browser/navigation.tsx'
import { Button, type ButtonProps } from '../../ui/button.tsx'
import { readAddress, type ListName } from './filter.ts'
import { useChangeFilter } from './use-list-filter.ts'

/** Toggles between the user's own builds and all builds. */
export function MineButton({ list, ...rest }: { list: ListName } & Pick<ButtonProps, 'className' | 'variant'>) {
  const change = useChangeFilter(list)
  const { author } = readAddress(useSearchParams(), list)
  const me = useMe()
  if (!me) return null
  const isMine = author.toLowerCase() === me.login.toLowerCase()
  return (
    <Button {...rest} aria-pressed={isMine} onClick={() => change({ author: isMine ? '' : me.login })}>
      Mine
    </Button>
  )
}
