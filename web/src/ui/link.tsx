import type { ComponentProps, MouseEvent } from 'react'

import { useNavigation, type Via } from '../browser/navigation.tsx'

export interface LinkProps extends ComponentProps<'a'> {
  href: string
  /** Replaces the current history entry. */
  replace?: boolean
  /**
   * `follow`: opens the running step of a build and follows it; `null`: like a typed URL. A new
   * window or tab knows only the URL.
   */
  via?: Via | null
}

const staysHere = (event: MouseEvent<HTMLAnchorElement>): boolean =>
  event.button === 0 &&
  !event.metaKey &&
  !event.ctrlKey &&
  !event.shiftKey &&
  !event.altKey &&
  !event.defaultPrevented &&
  !event.currentTarget.target

/** A real link to a page of this application. Other URLs of the server need a plain `<a>`. */
export function Link({ href, replace = false, via = 'press', onClick, onPointerEnter, children, ...rest }: LinkProps) {
  const { navigate, preload } = useNavigation()
  return (
    <a
      {...rest}
      href={href}
      onPointerEnter={(event) => {
        onPointerEnter?.(event)
        preload(href)
      }}
      onClick={(event) => {
        onClick?.(event)
        if (!staysHere(event)) return
        event.preventDefault()
        navigate(href, { replace, ...(via && { via }) })
      }}
    >
      {children}
    </a>
  )
}
