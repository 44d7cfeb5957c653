/** Commits marked to be skipped (docs/api §5.2, step 1). */
const marks = ['[ci skip]', '[skip ci]', '***no_ci***']

/** Only pushes and pull requests are skipped; manual, tag and cron builds are intended. */
export const asksToSkip = (build: { event: string; message?: string; title?: string }): boolean => {
  if (build.event !== 'push' && build.event !== 'pull_request') return false
  const text = `${build.message ?? ''}\n${build.title ?? ''}`.toLowerCase()
  return marks.some((mark) => text.includes(mark))
}
