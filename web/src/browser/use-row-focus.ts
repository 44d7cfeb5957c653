import { useCallback } from 'react'

import { focusPage } from './page-focus.ts'

const controls = 'button, a[href], select, input'
const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body

/**
 * When the focused row is removed (for example deleted), moves the focus to the same control of the
 * next row, else of the last row, else to the field that adds a row or to the heading of the list.
 * Returns the `ref` for an element around the list.
 */
export const useRowFocus = () =>
  useCallback((list: HTMLElement | null) => {
    if (!list) return undefined
    let last: { row: Element; index: number; fromEnd: number } | undefined
    const onFocus = (event: FocusEvent) => {
      const row = event.target instanceof Element ? event.target.closest('li') : null
      if (!row || !(event.target instanceof Element)) return
      const inRow = [...row.querySelectorAll(controls)]
      last = {
        row,
        index: [...list.querySelectorAll('li')].indexOf(row),
        fromEnd: inRow.length - inRow.indexOf(event.target),
      }
    }
    const toNext = ({ index, fromEnd }: NonNullable<typeof last>): void => {
      const rows = [...list.querySelectorAll('li')]
      const inRow = [...((rows[index] ?? rows.at(-1))?.querySelectorAll<HTMLElement>(controls) ?? [])]
      const control = inRow[inRow.length - fromEnd] ?? inRow.at(-1)
      const heading = list.closest('section')?.querySelector<HTMLElement>('h2')
      const field = list.querySelector<HTMLElement>('input')
      if (control) control.focus()
      else if (field) field.focus()
      else if (heading) {
        heading.tabIndex = -1
        heading.focus()
      } else focusPage()
    }
    const observer = new MutationObserver(() => {
      if (!last || last.row.isConnected) return
      const removed = last
      last = undefined
      if (isNowhere()) toNext(removed)
    })
    list.addEventListener('focusin', onFocus)
    observer.observe(list, { childList: true, subtree: true })
    return () => {
      list.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [])
