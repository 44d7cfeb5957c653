import { useEffect, useRef } from 'react'

import { offerFind } from '../../../browser/page-find.ts'

/** While there are lines, the page's search key searches them. */
export const usePageFind = (hasLines: boolean, find: () => void): void => {
  const latest = useRef(find)
  useEffect(() => {
    latest.current = find
  })
  useEffect(() => {
    if (!hasLines) return undefined
    return offerFind(() => {
      latest.current()
      return true
    })
  }, [hasLines])
}
