/**
 * After a form was taken: fields that are as they were sent become `next`; what was typed meanwhile stays.
 */
export const keepTyped = <T extends object>(now: T, sent: Partial<T>, next: T): T => {
  const kept = { ...next }
  for (const key of Object.keys(now) as (keyof T)[]) if (now[key] !== sent[key]) kept[key] = now[key]
  return kept
}
