/**
 * The last rendered lines, as the worker made them. Stale ones are kept until fresh ones arrive, to
 * prevent flicker.
 */
import type { LineView } from '../engine/view.ts'

interface Cached {
  view: LineView
  key: string
  /** It was the last line, or the start of the last group, so it can have grown since. */
  open: boolean
  bytes: number
}

const maxLines = 4000

export class LineCache {
  readonly #lines = new Map<number, Cached>()

  get(index: number): LineView | undefined {
    return this.#lines.get(index)?.view
  }

  put(views: readonly LineView[], key: string, total: number, bytes: number): void {
    for (const view of views) {
      const before = this.#lines.get(view.index)
      // Returns the same object if nothing changed, so that its row does not render again.
      const same = before && before.key === key && !before.open
      this.#lines.delete(view.index)
      this.#lines.set(view.index, {
        view: same ? before.view : view,
        key,
        open: view.index === total - 1 || view.group?.last === true,
        bytes,
      })
    }
    for (const index of this.#lines.keys()) {
      if (this.#lines.size <= maxLines) break
      this.#lines.delete(index)
    }
  }

  clear(): void {
    this.#lines.clear()
  }

  /** The lines that are missing or stale. The others are marked as recently used. */
  lacking(lines: readonly number[], total: number, key: string, bytes: number): number[] {
    return lines.filter((index) => {
      const cached = this.#lines.get(index)
      if (cached) {
        this.#lines.delete(index)
        this.#lines.set(index, cached)
      }
      return index < total && !(cached && cached.key === key && (!cached.open || cached.bytes === bytes))
    })
  }
}
