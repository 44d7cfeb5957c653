/**
 * Selects and copies lines that are not rendered: the two ends of the selection are stored as line
 * and character, their rows stay in the document, and the clipboard gets the text from the log
 * itself.
 */
import { useRef, useState, type RefObject } from 'react'

import { isIn } from '../reading/filtered-rows.ts'
import { before, cutToSelection, type TextPosition } from './selection.ts'
import { maxLineChars } from '../engine/view.ts'
import { copyByCommand, copyKeys } from '../../../browser/copy.ts'
import { toast } from '../../../ui/toast.ts'
import type { LogStore } from '../source/log-store.ts'
import type { ReadingStore } from '../reading/reading-store.ts'
import { firstShown } from '../reading/reading.ts'
import { useListeners } from '../../../browser/use-listeners.ts'

interface Chosen {
  from: TextPosition
  to: TextPosition
}

const textPositionOf = (node: Node, offset: number): TextPosition | undefined => {
  const element = node instanceof Element ? node : node.parentElement
  const row = element?.closest<HTMLElement>('[data-line]')
  const text = row?.querySelector('[data-text]')
  if (!row || !text) return undefined
  const range = document.createRange()
  range.selectNodeContents(text)
  // Before the text (its number) counts as its start, after it (its time) as its end.
  const position = range.comparePoint(node, offset)
  if (position < 0) range.collapse(true)
  else if (position === 0) range.setEnd(node, offset)
  return { line: Number(row.dataset.line), column: Math.min(range.toString().length, maxLineChars) }
}

const chosenIn = (element: HTMLElement): Chosen | undefined => {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || !selection.anchorNode || !selection.focusNode) return undefined
  if (!element.contains(selection.anchorNode) || !element.contains(selection.focusNode)) return undefined
  const a = textPositionOf(selection.anchorNode, selection.anchorOffset)
  const b = textPositionOf(selection.focusNode, selection.focusOffset)
  if (!a || !b) return undefined
  return before(b, a) ? { from: b, to: a } : { from: a, to: b }
}

const shownText = (store: LogStore, { from, to }: Chosen, only?: Uint32Array): string | undefined => {
  const lines: string[] = []
  for (let line = from.line; line <= to.line; line++) {
    if (only && !isIn(only, line)) continue
    const view = store.line(line)
    if (!view || view.cut > 0) return undefined
    lines.push(view.parts.map((part) => part.text).join(''))
  }
  return cutToSelection(lines.join('\n'), from, to)
}

const logText = async (store: LogStore, { from, to }: Chosen, only?: Uint32Array): Promise<Blob> => {
  const blob = await store.text(from.line, to.line + 1, true, only)
  const isWhole = from.column === 0 && to.column === Infinity
  // Avoids creating a string of a hundred megabytes unnecessarily.
  const text = isWhole ? blob : cutToSelection(await blob.text(), from, to)
  return new Blob([text], { type: 'text/plain' })
}

/** A text that arrived too late for the browser; the next key press copies it immediately. */
let ready: { store: LogStore; key: string; text: string } | undefined

/**
 * Without clipboard access (plain HTTP), only a recent key press can copy, but the text has yet to
 * arrive.
 */
const copyWhenHere = async (store: LogStore, chosen: Chosen, only?: Uint32Array): Promise<void> => {
  const text = await (await logText(store, chosen, only)).text()
  if (copyByCommand(text)) return
  ready = { store, key: JSON.stringify(chosen), text }
  toast.warning(`Ready. Press ${copyKeys()} again to copy.`)
}

const copyFar = async (store: LogStore, chosen: Chosen, only?: Uint32Array): Promise<void> => {
  try {
    if (!('clipboard' in navigator)) await copyWhenHere(store, chosen, only)
    else await navigator.clipboard.write([new ClipboardItem({ 'text/plain': logText(store, chosen, only) })])
  } catch {
    toast.error('The lines could not be copied. Download the log instead.')
  }
}

/** Copies many lines, or a small selection that is already loaded. */
const copy = (event: ClipboardEvent, store: LogStore, chosen: Chosen, only?: Uint32Array): void => {
  const prepared = ready?.store === store && ready.key === JSON.stringify(chosen) ? ready.text : undefined
  ready = undefined
  const nearbyText = prepared ?? (chosen.to.line - chosen.from.line < 2000 ? shownText(store, chosen, only) : undefined)
  event.preventDefault()
  if (nearbyText !== undefined) {
    event.clipboardData?.setData('text/plain', nearbyText)
    return
  }
  void copyFar(store, chosen, only)
}

export interface LogSelection {
  /** Lines whose rows must stay in the document. */
  pins: readonly number[]
}

const none: LogSelection = { pins: [] }

/** The line in which a selection starts, even if it is only a mouse press so far. */
const anchorIn = (element: HTMLElement): number | undefined => {
  const node = document.getSelection()?.anchorNode
  return node && element.contains(node) ? textPositionOf(node, 0)?.line : undefined
}

/**
 * `scroller` is the focused element, `ref` the element with the rows. Ctrl+A selects everything
 * that is shown: all lines, or `only` some.
 */
export const useSelection = (
  scroller: RefObject<HTMLElement | null>,
  ref: RefObject<HTMLElement | null>,
  store: LogStore,
  reading: ReadingStore,
  only: Uint32Array | undefined,
): LogSelection => {
  const [selection, setSelection] = useState(none)
  const chosen = useRef<Chosen>(undefined)
  const everything = useRef(false)
  const onChange = (element: HTMLElement) => {
    if (everything.current) return
    const next = chosenIn(element)
    const collapsed = document.getSelection()?.isCollapsed ?? true
    // A selection end whose row is no longer in the document can't be read: the previous value is
    // still valid.
    if (!next && !collapsed) return
    chosen.current = next
    const anchor = anchorIn(element)
    const pins = next ? [...new Set([next.from.line, next.to.line])] : anchor === undefined ? none.pins : [anchor]
    setSelection((known) => (known.pins.join() === pins.join() ? known : { pins }))
  }
  const onCopy = (event: ClipboardEvent, element: HTMLElement) => {
    // The selection survives lines that arrive meanwhile.
    const { lines } = reading.get()
    const all = { from: { line: firstShown(reading.get()), column: 0 }, to: { line: lines - 1, column: Infinity } }
    const selection = document.getSelection()
    const isInside = selection?.anchorNode && scroller.current?.contains(selection.anchorNode)
    // `selectionchange` fires a moment after the change.
    const requested = everything.current ? all : (chosenIn(element) ?? chosen.current)
    if (requested && isInside) copy(event, store, requested, only)
  }
  useListeners('document', {
    selectionchange: () => ref.current && onChange(ref.current),
    pointerdown: () => {
      everything.current = false
    },
    copy: (event) => ref.current && onCopy(event, ref.current),
  })
  useListeners(scroller, {
    keydown: (event) => {
      if (event.key.toLowerCase() !== 'a' || !(event.ctrlKey || event.metaKey) || !ref.current) return
      event.preventDefault()
      everything.current = true
      document.getSelection()?.selectAllChildren(ref.current)
    },
  })
  return selection
}
