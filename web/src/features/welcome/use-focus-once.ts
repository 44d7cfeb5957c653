import { useCallback, useState } from 'react'

/** Focuses the field with this name when the form first renders, and never again. */
export function useFocusOnce(name: string): (form: HTMLFormElement | null) => void {
  const [first] = useState(name)
  return useCallback(
    (form) => {
      const field = form?.elements.namedItem(first)
      if (field instanceof HTMLElement) field.focus()
    },
    [first],
  )
}
