import { useState } from 'react'

import { withParams } from '../lib/search-params.ts'
import { useAddress, useNavigation } from './navigation.tsx'

/**
 * Parameters of an address that opens a dialog, such as `?action=build` (new-build-request.ts,
 * deployment-request.ts).
 */
const none = { action: undefined, target: undefined, parameters: undefined, commit: undefined }

/**
 * A link can ask for a dialog on the page that is open already. `key`: of the component that opens
 * it; changes with each such link. `clear`: call when the dialog closes, so that a reload or the
 * next link does not find it open.
 */
export const useActionParam = (): { key: string | undefined; clear: () => void } => {
  const { pathname, search, entry } = useAddress()
  const { navigate } = useNavigation()
  const isAsked = new URLSearchParams(search).has('action')
  const [key, setKey] = useState(isAsked ? entry : undefined)
  // Not when the request is cleared: what the dialog began goes on.
  if (isAsked && entry !== key) setKey(entry)
  return {
    key,
    clear: () => {
      if (isAsked) navigate(`${pathname}${withParams(search, none)}`, { replace: true, keepOpen: true })
    },
  }
}
