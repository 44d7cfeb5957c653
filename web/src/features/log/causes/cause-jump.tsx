import { moveFocusOnRemoval } from '../../../browser/move-focus-on-removal.ts'
import { Button } from '../../../ui/button.tsx'
import type { Causes } from './use-causes.ts'
import { inOrder } from './next-cause.ts'

/**
 * The buttons to the error lines, and the current one's number. `onRemoved`: called when the
 * focused button disappears.
 */
export function CauseJump({ causes: { list, at, move }, onRemoved }: { causes: Causes; onRemoved: () => void }) {
  if (list.length === 0) return null
  const position = inOrder(list).findIndex(({ index }) => index === at) + 1
  const isThere = position > 0
  return (
    <div className="flex items-center gap-2 text-sm whitespace-nowrap text-muted">
      <span role="status" className="tabular-nums">
        {isThere && `Cause ${position} of ${list.length}`}
      </span>
      {(!isThere || list.length > 1) && (
        <Button
          size="sm"
          aria-keyshortcuts="e"
          title="Press E for the next error line, Shift+E for the previous one"
          ref={moveFocusOnRemoval(onRemoved)}
          onClick={() => move(1)}
        >
          {isThere ? 'Next cause' : 'Go to the cause'}
        </Button>
      )}
    </div>
  )
}
