/** Request bodies (docs/api §2). */
import * as z from 'zod/mini'

const text = z.optional(z.string())
const flag = z.optional(z.boolean())
const secretFlags = { pull_request: flag, pull_request_push: flag }

export const secretInput = z.object({ name: z.string(), data: z.string(), ...secretFlags })
export const secretPatch = z.object({ data: text, ...secretFlags })
export const cronInput = z.object({ name: z.string(), expr: z.string(), branch: z.string() })
export const cronPatch = z.object({
  /** Flightdeck only: the new expression. Drone ignores `expr` in a change. */
  expression: text,
  branch: text,
  target: text,
  disabled: flag,
})
export const userInput = z.object({
  login: z.string(),
  email: text,
  admin: flag,
  machine: flag,
  token: text,
  /**
   * Flightdeck only: `*` for all existing repositories, or at most 200 slugs separated by spaces.
   */
  repositories: text,
  /** The role on these repositories; defaults to `read`. */
  role: z.optional(z.enum(['read', 'write', 'admin'])),
})
export const userPatch = z.object({ admin: flag, active: flag })
export const emailInput = z.object({ email: text })
export const passwordChange = z.object({ old_password: z.string(), password: z.string(), keep_token: flag })
/** `expires`: Unix seconds; 0 or absent: never. */
export const accessTokenInput = z.object({ name: z.string(), expires: z.optional(z.int()) })
export const wallLinkInput = z.object({ name: z.string(), expires: z.optional(z.int()), repos: z.array(z.string()) })
export const wallToken = z.object({ token: z.string() })
export const invitationInput = z.object({ invitation: z.string() })
export const firstPassword = z.object({ invitation: z.string(), password: z.string() })
export const resetInput = z.object({ keep_token: flag })
/** `data` can be any JSON value. */
export const cardInput = z.object({ schema: z.string(), data: z.optional(z.unknown()) })
/** Templates are not served: their list is always empty (docs/api §0 "editions"). */
export const template = z.object({ id: z.optional(z.int()), name: text, namespace: text, data: text })
