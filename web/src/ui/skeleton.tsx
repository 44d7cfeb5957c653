import { cx } from './class-names.ts'

/** A placeholder while something loads; give it the size of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cx('block animate-pulse rounded-md bg-raised', className)} />
}

/**
 * Announces once to screen readers that a region is loading, and shows the text if it takes long;
 * the texts of several regions overlap.
 */
export function LoadingText({ text = 'Loading' }: { text?: string }) {
  return (
    <>
      <output className="sr-only">{text}</output>
      <output className="pointer-events-none fixed inset-x-0 bottom-(--bar) z-40 mb-9 flex animate-late justify-center p-3">
        <span className="rounded-full border border-line bg-surface px-3 py-1 text-sm shadow-overlay">
          This is taking longer than usual…
        </span>
      </output>
    </>
  )
}
