/** Which route an address is (docs/api §0 "trailing slash"). */
import { getPath } from 'hono/utils/url'

/** A trailing slash matters only below `/api` and `/rpc`; pages and static files ignore it. */
export function pathOf(request: Request): string {
  const path = getPath(request)
  if (path === '/api' || path.startsWith('/api/') || path.startsWith('/rpc/')) return path
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}
