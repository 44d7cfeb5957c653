/** The person who made a call, for the audit log. */
import type { AuditActor } from '../lib/audit-context.ts'
import { addressOf, type Call, type HttpDependencies } from './context.ts'

const maxAgentLength = 300

export function actorOf(dependencies: Required<HttpDependencies>, c: Call): AuditActor {
  const user = c.get('user')
  return {
    userId: user?.id ?? 0,
    login: user?.login ?? '',
    address: addressOf(c, dependencies),
    agent: (c.req.header('user-agent') ?? '').slice(0, maxAgentLength),
    request: c.get('requestId') ?? '',
    time: dependencies.now(),
  }
}
