/** Which route an address is (docs/api §0 "trailing slash"). */
import { getPath } from 'hono/utils/url'

/** A slash at the end means something below `/api` and `/rpc` only; pages, and what stands beside them, are the same without. */
export function pathOf(request: Request): string {
  const path = getPath(request)
  if (path === '/api' || path.startsWith('/api/') || path.startsWith('/rpc/')) return path
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}
