/**
 * After a form was submitted: unchanged fields become `next`; text typed meanwhile stays.
 */
export const keepTyped = <T extends object>(now: T, sent: Partial<T>, next: T): T => {
  const result = { ...next }
  for (const key of Object.keys(now) as (keyof T)[]) if (now[key] !== sent[key]) result[key] = now[key]
  return result
}
