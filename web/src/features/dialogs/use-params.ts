import { useState } from 'react'

import { addParam, noParam, withTyped, type Param } from './params.ts'

/** The parameters of a dialog: those added, and the pair that is being typed. */
export const useParams = (initial: readonly Param[] = []) => {
  const [params, setParams] = useState<readonly Param[]>(initial)
  const [typed, setTyped] = useState<Param>(noParam)
  return {
    params,
    typed,
    setTyped,
    add: () => {
      setParams(addParam(params, typed))
      setTyped(noParam)
    },
    remove: (key: string) => setParams(params.filter((param) => param.key !== key)),
    /** What is sent. `fromEntries` defines keys, so that one called `__proto__` is a key like any other. */
    toSend: (): Record<string, string> =>
      Object.fromEntries(withTyped(params, typed).map((param) => [param.key, param.value])),
  }
}

export type ParamsState = ReturnType<typeof useParams>
