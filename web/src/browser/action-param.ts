import { useState } from 'react'

import { withParams } from '../lib/search-params.ts'
import { useAddress, useNavigation } from './navigation.tsx'

/**
 * The search parameters that open a dialog, such as `?action=build` (new-build-request.ts,
 * deployment-request.ts).
 */
const none = { action: undefined, target: undefined, parameters: undefined, commit: undefined }

/**
 * Lets a link open a dialog on the current page. `key`: the React key of the component that opens
 * the dialog; it changes with each such link. `clear`: call this when the dialog closes, so that a
 * reload does not open it again.
 */
export const useActionParam = (): { key: string | undefined; clear: () => void } => {
  const { pathname, search, entry } = useAddress()
  const { navigate } = useNavigation()
  const isAsked = new URLSearchParams(search).has('action')
  const [key, setKey] = useState(isAsked ? entry : undefined)
  // The key stays the same when the parameters are cleared, so that pending actions of the dialog
  // continue.
  if (isAsked && entry !== key) setKey(entry)
  return {
    key,
    clear: () => {
      if (isAsked) navigate(`${pathname}${withParams(search, none)}`, { replace: true, keepOpen: true })
    },
  }
}
