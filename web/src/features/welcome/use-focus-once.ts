import { useCallback, useState } from 'react'

/** For a form: puts the focus into its field of this name when the form comes, and never again. */
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
