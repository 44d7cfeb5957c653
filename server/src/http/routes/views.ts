/**
 * The saved views of the own account. Extra routes, which Drone does not have; `GET /api/user`
 * lists them.
 */
import { viewLists, type ViewList } from '@flightdeck/api'
import { Refusal } from '../../lib/refusal.ts'
import { deleteView, saveView } from '../../store/views.ts'
import { decodeBody, queryOf } from '../bodies.ts'
import { userOf, type Handler, type HttpDependencies } from '../context.ts'
import { noContent } from '../responses.ts'

/** They are a part of each answer of `GET /api/user`. */
const maxViews = 50
const maxNameChars = 60
const maxQueryChars = 1000

const listOf = (text: string): ViewList => {
  const list = viewLists.find((one) => one === text)
  if (!list) throw new Refusal(400, `Invalid list: use ${viewLists.join(', ')}`)
  return list
}
const nameOf = (text: string): string => {
  const name = text.trim()
  if (name === '') throw new Refusal(400, 'A name is required')
  if (name.length > maxNameChars || /\p{Cc}/u.test(name))
    throw new Refusal(400, `The name can have at most ${maxNameChars} characters, on one line`)
  return name
}

export function viewsRoutes({ store: { db } }: Pick<HttpDependencies, 'store'>) {
  return {
    'PUT /api/user/views': async (c) => {
      const body = await decodeBody(c, 'View', { list: 'string', name: 'string', query: 'string', default: 'bool' })
      const { query = '' } = body
      if (query === '' || query.length > maxQueryChars || /\p{Cc}/u.test(query))
        throw new Refusal(400, `The query must have 1 to ${maxQueryChars} characters, on one line`)
      const view = {
        list: listOf(body.list ?? ''),
        name: nameOf(body.name ?? ''),
        query,
        default: body.default ?? false,
      }
      if (!(await saveView(db, userOf(c).id, view, maxViews)))
        throw new Refusal(400, `You can have at most ${maxViews} views`)
      return noContent()
    },
    'DELETE /api/user/views': async (c) => {
      const query = queryOf(c)
      const name = nameOf(query.get('name') ?? '')
      await deleteView(db, userOf(c).id, { list: listOf(query.get('list') ?? ''), name })
      return noContent()
    },
  } satisfies Record<string, Handler>
}
