/**
 * Makes the client's methods. The parameters and response of each derive from its row
 * (call-types.ts).
 */
import type { AnswerOf, CallWithBody, Method, ReadCall } from './call-types.ts'
import type { CallName } from './endpoints/index.ts'
import { ApiError } from './errors.ts'
import { createSend, type ClientOptions, type Query } from './request.ts'
import { listOf, maybe, type Check } from './shapes.ts'

export const checked = (answer: unknown, fits?: Check): unknown => {
  if (fits && !fits(answer)) throw new ApiError(200, 'Unexpected response from the server')
  return answer
}

export const createCalls = (options: ClientOptions) => {
  const send = createSend(options)
  const run = async (line: string, given: readonly unknown[], hasBody: boolean, fits?: Check) => {
    const rest = [...given]
    const [method = '', template = ''] = line.split(' ')
    const pathname = template.replaceAll(/:\w+/g, () => encodeURIComponent(String(rest.shift())))
    const [input] = rest
    return checked(await send(method, pathname, hasBody ? { body: input } : { query: input as Query }), fits)
  }
  return {
    send,
    /** A call without a body. Pass `fits` if a screen shows the response. */
    call:
      <C extends Exclude<CallName, CallWithBody>>(line: C, fits?: Check): Method<C> =>
      (...given) =>
        run(line, given, false, fits) as Promise<AnswerOf<C>>,
    withBody:
      <C extends CallWithBody>(line: C): Method<C> =>
      (...given) =>
        run(line, given, true) as Promise<AnswerOf<C>>,
    /** A call that returns a list, which can be `null` (docs/api §9.2). */
    list:
      <C extends ReadCall>(line: C, fits: Check): Method<C> =>
      async (...given) =>
        ((await run(line, given, false, maybe(listOf(fits)))) ?? []) as AnswerOf<C>,
  }
}
