import { useState } from 'react'

import { focusFirstInvalid } from '../../ui/focus-first-invalid.ts'
import { addParam, isReserved, noParam, paramError, withTyped, type Param } from './params.ts'

/**
 * The parameters of a dialog: those added, and the pair that is being typed. `taken`: keys that the
 * call uses itself.
 */
export const useParams = (taken: readonly string[], initial: readonly Param[] = []) => {
  // A promoted build or a URL can have some that cannot be sent, so they are not listed either.
  const [params, setParams] = useState<readonly Param[]>(() => initial.filter(({ key }) => !isReserved(key, taken)))
  const [typed, setTyped] = useState<Param>(noParam)
  const [checked, setChecked] = useState(false)
  const error = paramError(typed, taken)
  /** Whether the typed pair is invalid; its field then shows the reason, and gets the focus. */
  const refuses = (form: HTMLFormElement | null): boolean => {
    // Search only the parameters: another field may still show an old server error.
    const place = form?.querySelector('fieldset')
    if (error && place) focusFirstInvalid(place, () => setChecked(true))
    return error !== undefined
  }
  return {
    params,
    typed,
    setTyped,
    error: checked ? error : undefined,
    refuses,
    add: (form: HTMLFormElement | null) => {
      if (refuses(form)) return
      setParams(addParam(params, typed))
      setTyped(noParam)
      setChecked(false)
    },
    remove: (key: string) => setParams(params.filter((param) => param.key !== key)),
    /**
     * The parameters to send. `fromEntries` defines keys, so that `__proto__` is a key like any
     * other.
     */
    toSend: (): Record<string, string> =>
      Object.fromEntries(withTyped(params, typed).map((param) => [param.key, param.value])),
  }
}

export type ParamsState = ReturnType<typeof useParams>
