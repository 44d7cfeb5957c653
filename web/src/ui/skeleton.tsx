import { cx } from './class-names.ts'

/** The place of something that is being loaded; give it the size of what comes. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cx('block animate-pulse rounded-md bg-raised', className)} />
}

/** Says to screen readers, once, that a region loads. */
export function LoadingText({ text = 'Loading' }: { text?: string }) {
  return <output className="sr-only">{text}</output>
}
