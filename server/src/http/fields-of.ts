/** The fields that a body may have, from the schema of the settings that it changes. */
import * as z from 'zod/mini'
import type { FieldsOf } from './bodies.ts'

type Values<S extends Record<string, z.ZodMiniType>> = { [K in keyof S]: z.infer<S[K]> }

const kinds: Record<string, string> = { boolean: 'bool', integer: 'int64' }
const kindOf = (schema: z.ZodMiniType): string => kinds[String(z.toJSONSchema(schema).type)] ?? 'string'

export const fieldsOf = <const S extends Record<string, z.ZodMiniType>>(settings: S) =>
  Object.fromEntries(Object.entries(settings).map(([name, schema]) => [name, kindOf(schema)])) as FieldsOf<Values<S>>
