/**
 * After a form was submitted: unchanged fields become `next`; text typed meanwhile stays.
 */
export const keepTyped = <T extends object>(now: T, sent: Partial<T>, next: T): T => {
  const kept = { ...next }
  for (const key of Object.keys(now) as (keyof T)[]) if (now[key] !== sent[key]) kept[key] = now[key]
  return kept
}
