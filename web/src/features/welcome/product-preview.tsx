import type { Status } from '@flightdeck/api'

import { cx } from '../../ui/class-names.ts'
import { StatusIcon } from '../../ui/status-icon.tsx'

interface Row {
  name: string
  status: Status
  /** Its duration, if it has one. */
  text: string
  step?: boolean
  chosen?: boolean
}

const rows: readonly Row[] = [
  { name: 'lint', status: 'success', text: '12s' },
  { name: 'test', status: 'failure', text: '41s' },
  { name: 'clone', status: 'success', text: '1s', step: true },
  { name: 'unit', status: 'failure', text: '40s', step: true, chosen: true },
  { name: 'browser', status: 'skipped', text: 'skipped', step: true },
  { name: 'publish', status: 'skipped', text: 'skipped' },
]

const lines: readonly (readonly [text: string, look?: string])[] = [
  ['+ npm test'],
  ['ok    headings > make anchors'],
  ['ok    links > resolve relative paths'],
  ['FAIL  links > keep the anchor', 'text-danger'],
  ['      expected "#setup", got ""'],
  ['      at src/links.test.ts:42'],
  ['1 failed, 39 passed'],
]

/**
 * A preview of the product: a failed build, its failed step and the error lines. An image without
 * controls.
 */
export function ProductPreview() {
  return (
    <div aria-hidden="true" className="hidden items-center border-l border-line bg-canvas p-6 select-none lg:flex">
      <div className="mx-auto w-full max-w-160 overflow-hidden rounded-lg border border-line bg-surface">
        <div className="flex items-center gap-2 border-b border-l-3 border-b-line border-l-danger bg-danger-soft px-4 py-2">
          <StatusIcon status="failure" />
          <span className="font-medium">failure</span>
          <span className="text-muted">unit failed in test</span>
        </div>
        <div className="border-b border-line px-4 py-3">
          <p className="text-lg font-semibold">Keep anchors when headings move</p>
          <p className="text-sm text-muted">grace pushed to main, 2 minutes ago</p>
        </div>
        <div className="grid grid-cols-[2fr_3fr]">
          <ul className="flex flex-col gap-1 border-r border-line p-2 text-sm">
            {rows.map(({ name, status, text, step, chosen }) => (
              <li
                key={name}
                className={cx('flex items-center gap-2 rounded-md p-2', step && 'ml-4', chosen && 'bg-accent-soft')}
              >
                <StatusIcon status={status} />
                <span className="flex-1">{name}</span>
                <span className="text-muted">{text}</span>
              </li>
            ))}
          </ul>
          <div className="flex flex-col bg-console py-3 font-mono text-sm leading-5 text-console-ink" data-theme="dark">
            {lines.map(([text, look], index) => (
              <span key={text} className="flex gap-3 px-3">
                <span className="w-6 shrink-0 text-right text-muted">{index + 118}</span>
                <span className={cx('truncate whitespace-pre', look)}>{text}</span>
              </span>
            ))}
            <span className="mt-auto px-4 pt-3 text-danger">Exit Code 1</span>
          </div>
        </div>
      </div>
    </div>
  )
}
