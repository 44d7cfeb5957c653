import type { ReactNode, RefCallback } from 'react'

/**
 * The list of builds with its heading. On a phone the heading is only for screen readers, because
 * the list would start in the lower half of the screen. `top` is the ref of an element above the
 * list.
 */
export function ExecutionsFrame({
  top,
  of,
  children,
}: {
  top?: RefCallback<HTMLElement>
  /** The branch, if the list is limited to one; shown on phones too. */
  of?: string | undefined
  children: ReactNode
}) {
  return (
    <section aria-labelledby="executions" className="relative flex flex-col gap-1.5">
      <h2
        id="executions"
        ref={top}
        className={`scroll-mt-32 text-lg font-semibold wrap-anywhere ${of === undefined ? 'max-md:sr-only' : ''}`}
      >
        Executions{of !== undefined && <> on {of}</>}
      </h2>
      {children}
    </section>
  )
}
