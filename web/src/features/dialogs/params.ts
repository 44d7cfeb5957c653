/**
 * Parameters of a build or a deployment: typed key-value pairs (specification §5, readings
 * "Dialogs").
 */

export interface Param {
  key: string
  value: string
}

export const noParam: Param = { key: '', value: '' }

/** Trimmed when added, not while typing, so that values can contain spaces. */
export const trimParam = (param: Param): Param => ({ key: param.key.trim(), value: param.value.trim() })

export const isComplete = (param: Param): boolean => {
  const { key, value } = trimParam(param)
  return key !== '' && value !== ''
}

/** Drone treats it as a credential wherever it appears (docs/api/sign-in.md). */
const credential = 'access_token'

/** Query keys that the call or its server uses itself: parameters with these keys would be lost. */
export const isReserved = (key: string, taken: readonly string[]): boolean => key === credential || taken.includes(key)

/** The error of a pair that is to be added or sent. */
export const paramError = (typed: Param, taken: readonly string[]): string | undefined => {
  const { key } = trimParam(typed)
  return isComplete(typed) && isReserved(key, taken) ? `“${key}” can’t be used as a parameter name` : undefined
}

/** An existing key gets the new value in its position. */
export const addParam = (params: readonly Param[], typed: Param): Param[] => {
  const added = trimParam(typed)
  const known = params.some((param) => param.key === added.key)
  return known ? params.map((param) => (param.key === added.key ? added : param)) : [...params, added]
}

/** The parameters to send: a complete pair that was typed but not added counts too. */
export const withTyped = (params: readonly Param[], typed: Param): Param[] =>
  isComplete(typed) ? addParam(params, typed) : [...params]

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const words = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

const entriesOf = (parsed: unknown): Param[] => {
  if (Array.isArray(parsed)) {
    return parsed.filter(isRecord).map((item) => ({ key: words(item['key']), value: words(item['value']) }))
  }
  return isRecord(parsed) ? Object.entries(parsed).map(([key, value]) => ({ key, value: words(value) })) : []
}

/**
 * The `parameters` of a URL that opens a dialog: a JSON list of `{key, value}` (docs/api §2.10), or
 * a plain object. Invalid entries are ignored.
 */
export const parseParams = (json: string | undefined): Param[] => {
  if (!json) return []
  try {
    return entriesOf(JSON.parse(json))
      .filter(isComplete)
      .reduce<Param[]>((params, param) => addParam(params, param), [])
  } catch {
    return []
  }
}
