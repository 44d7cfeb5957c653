/**
 * Runs user actions (architecture.md, flow 2). Actions are described in `api/actions/`; a component
 * runs one with `useAction` and adds what only it can do with the response, such as opening a new
 * build.
 */
import { useEffect, useRef, useState } from 'react'

import { toast } from '../ui/toast.ts'
import type { Key } from './keys.ts'
import { userQuery } from './queries.ts'
import { errorText, isStatus, queryClient } from './query-client.ts'
import { startAction, endAction, usePendingAction } from './pending-actions.ts'

export interface Action<Input, Answer> {
  /** Identifies the action among those of its subject. */
  name: string
  /** What the action changes. Only one action per subject is pending at a time. */
  subject: string
  send: (input: Input) => Promise<Answer>
  /** Writes the response into the cache. */
  updateCache?: (answer: Answer, input: Input) => void
  /**
   * Queries that the action makes stale: refetched if shown, otherwise when they are shown next.
   */
  stale?: readonly Key[]
  /** The message of success; without one, the page itself shows it. */
  done?: string | ((answer: Answer, input: Input) => string | undefined)
  /**
   * The text before a failure's reason; without one, only the reason is shown. A function returns
   * the whole text.
   */
  failed?: string | (() => string)
  /** Errors that the form shows at one of its fields, and that are not shown elsewhere. */
  atField?: (error: unknown) => boolean
}

/** An error whose message is the complete text given by the specification. */
export class FullMessageError extends Error {}

/** The toast of a failed action. */
export const failureText = (error: unknown, failed: Action<never, never>['failed']): string => {
  if (typeof failed === 'function') return failed()
  return failed === undefined || error instanceof FullMessageError ? errorText(error) : `${failed}: ${errorText(error)}`
}

const whoIsHere = (): number | undefined => queryClient.getQueryData(userQuery().queryKey)?.id

/**
 * If the user becomes known while an action is pending, it is the same user: a page belongs to one
 * person (api/person.ts).
 */
const isAnother = (who: number | undefined): boolean => who !== undefined && whoIsHere() !== who

/**
 * The action has succeeded; if its response has an unexpected shape, report that in plain language
 * instead of a JavaScript error.
 */
const learnFrom = <Input, Answer>({ updateCache }: Action<Input, Answer>, answer: Answer, input: Input): void => {
  try {
    updateCache?.(answer, input)
  } catch (error) {
    throw new Error('unexpected response from the server', { cause: error })
  }
}

const askAgain = ({ stale = [] }: Pick<Action<never, never>, 'stale'>): void => {
  for (const queryKey of stale) void queryClient.invalidateQueries({ queryKey })
}

interface Ended<Answer> {
  answer?: { value: Answer }
  error?: unknown
  /** Shows nothing, because a different person has signed in. */
  silent?: boolean
}

/**
 * Sends the action and handles its result, wherever the user is by then. Undefined: the subject was
 * busy.
 */
const perform = async <Input, Answer>(
  action: Action<Input, Answer>,
  input: Input,
): Promise<Ended<Answer> | undefined> => {
  if (!startAction(action.subject, action.name)) return undefined
  const who = whoIsHere()
  try {
    const mutation = queryClient.getMutationCache().build(queryClient, { mutationFn: action.send })
    const value = await mutation.execute(input)
    // The caches now belong to another user.
    if (isAnother(who)) return { silent: true }
    learnFrom(action, value, input)
    askAgain(action)
    const words = typeof action.done === 'function' ? action.done(value, input) : action.done
    if (words) toast.success(words)
    return { answer: { value } }
  } catch (error) {
    // It was changed elsewhere, so the page shows outdated data.
    if (isStatus(error, 404, 409)) askAgain(action)
    return { error, silent: isAnother(who) }
  } finally {
    endAction(action.subject)
  }
}

export interface Refusal<Input> {
  input: Input
  error: unknown
  reason: string
  /**
   * A toast currently shows the error; the form shows it only after the toast is gone, so it never
   * appears twice.
   */
  elsewhere: boolean
  /** The server did not respond, so nothing was refused and the same request can be sent again. */
  unreached: boolean
}

/**
 * `onDone` belongs to the component: it is not called after unmount, but the caches are still
 * updated and the toast is still shown. Give the component a `key` of its subject, so that another
 * build or repository mounts a new component.
 */
export const useAction = <Input = void, Answer = unknown>(
  action: Action<Input, Answer>,
  onDone?: (answer: Answer, input: Input) => void,
) => {
  const busyWith = usePendingAction(action.subject)
  const [refusal, setRefusal] = useState<Refusal<Input>>()
  const owner = useRef<{ onDone: typeof onDone } | undefined>(undefined)
  useEffect(() => {
    owner.current = { onDone }
    return () => {
      owner.current = undefined
    }
  }, [onDone])

  const run = async (input: Input): Promise<void> => {
    const before = refusal
    setRefusal(undefined)
    const ended = await perform(action, input)
    if (!ended) setRefusal(before)
    if (!ended || ended.silent) return
    if (ended.answer) {
      owner.current?.onDone?.(ended.answer.value, input)
      return
    }
    const { error } = ended
    const atField = action.atField?.(error) ?? false
    setRefusal({ input, error, reason: errorText(error), elsewhere: !atField, unreached: isStatus(error, 0) })
    const onToastClosed = () =>
      setRefusal((known) => (known && known.error === error ? { ...known, elsewhere: false } : known))
    if (!atField) toast.error(failureText(error, action.failed), onToastClosed)
  }

  return {
    run: (input: Input): void => void run(input),
    /** The action is pending, which its button shows. */
    pending: busyWith === action.name,
    /** An action is pending for the subject: its buttons are disabled. */
    busy: busyWith !== undefined,
    refusal,
  }
}
