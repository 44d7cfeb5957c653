import { Timer } from 'lucide-react'

import { useNavigation } from '../../browser/navigation.tsx'
import { useKeys } from '../../browser/use-keys.ts'
import { paths } from '../../lib/paths.ts'
import { Link } from '../../ui/link.tsx'

/** Opens the durations of all steps, by a click or `t`. */
export function TimesLink({ namespace, name }: { namespace: string; name: string }) {
  const { navigate } = useNavigation()
  const href = paths.times(namespace, name)
  useKeys((key) => {
    if (key === 't') navigate(href, { via: 'key' })
  })
  return (
    // The touch target around the icon extends into the frame's margin, because the numbers need
    // their space.
    <Link
      href={href}
      title="Step durations (T)"
      className="flex h-8 min-w-6 shrink-0 items-center justify-center gap-1.5 rounded-md text-sm text-muted hover:text-ink touch:h-11 touch:-mr-2 touch:min-w-11 lg:ml-auto"
    >
      <Timer aria-hidden="true" className="size-4" />
      <span className="max-lg:sr-only">Step durations</span>
    </Link>
  )
}
