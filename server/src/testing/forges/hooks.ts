/** The webhook routes of a repository, nearly the same in all fake forges. */
import { notFound, forbidden, StandReply, type StandRequest } from './stand.ts'
import type { StandHook, StandRepository, StandWorld } from './world.ts'

interface HookForm {
  read: (body: Record<string, unknown>) => Partial<StandHook>
  /** Changes an existing hook, of which not everything can change. */
  change?: (body: Record<string, unknown>) => Partial<StandHook>
  write(hook: StandHook): unknown
  update: string
}

/** `rest`: the path segments after `hooks`. */
export function answerHooks(
  world: StandWorld,
  repository: StandRepository,
  { method, body, login }: StandRequest,
  path: readonly string[],
  form: HookForm,
): StandReply {
  if (world.levelOf(repository, login) !== 'admin') return forbidden
  const [id] = path
  if (id === undefined) {
    if (method === 'GET')
      return new StandReply(
        200,
        repository.hooks.map((hook) => form.write(hook)),
      )
    const made: StandHook = { id: world.nextId(), url: '', secret: '', events: [], active: true, ...form.read(body) }
    repository.hooks.push(made)
    return new StandReply(201, form.write(made))
  }
  const hook = repository.hooks.find((one) => one.id === Number(id))
  if (!hook) return notFound
  if (method === 'DELETE') {
    repository.hooks = repository.hooks.filter((one) => one !== hook)
    return new StandReply(204, null)
  }
  if (method !== form.update) return notFound
  Object.assign(hook, (form.change ?? form.read)(body))
  return new StandReply(200, form.write(hook))
}

/** `{ config: { url, secret }, events, active }`, as Gitea and GitHub accept it. */
export const readConfig = ({ config, events, active }: Record<string, unknown>): Partial<StandHook> => {
  const { url, secret } = (config ?? {}) as Record<string, unknown>
  return {
    ...(typeof url === 'string' && { url }),
    ...(typeof secret === 'string' && { secret }),
    ...(Array.isArray(events) && { events: events.map(String) }),
    ...(typeof active === 'boolean' && { active }),
  }
}
