import { Dialog } from '../ui/dialog.tsx'

const list = [
  { keys: ['Ctrl+K', '/'], does: 'Search repositories, branches and builds' },
  { keys: ['g then h'], does: 'Go to the dashboard' },
  { keys: ['g then b'], does: 'Go to the builds feed' },
  { keys: ['g then a'], does: 'Go to your account' },
  { keys: ['g then w'], does: 'Go to the wall' },
  { keys: ['j', 'k'], does: 'Lists: next / previous row' },
  { keys: ['s'], does: 'Dashboard: add / remove favorite' },
  { keys: ['t'], does: 'Repository page: step durations' },
  { keys: ['/'], does: 'Build page: find in log' },
  { keys: ['f', 'Shift+f'], does: 'Build page: next / previous failed step' },
  { keys: ['e', 'Shift+e'], does: 'Build page: next / previous error line' },
  { keys: ['o'], does: 'Build page: show only lines that are new since the last successful run' },
  { keys: ['t'], does: 'Build page: switch timestamp format' },
  { keys: ['s'], does: 'Build page: open the source file mentioned at this line' },
  { keys: ['c'], does: 'Build page: what changed since the step last passed' },
  { keys: [']', '['], does: 'Build page: next / previous step' },
  { keys: ['i'], does: 'Build page: show build details' },
  { keys: ['n', 'p'], does: 'Build page: next / previous build on this branch' },
  { keys: [']', '['], does: 'Commit page: next / previous file' },
  { keys: ['n', 'p'], does: 'Commit page: newer / older commit' },
  { keys: ['f'], does: 'Wall: full screen' },
  { keys: ['←', '→'], does: 'Wall: previous / next page' },
  { keys: ['Esc'], does: 'Close a dialog, menu or search' },
  { keys: ['?'], does: 'Show this list' },
]

function ShortcutList() {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
      {list.map(({ keys, does }) => (
        <div key={does} className="contents">
          <dt className="flex items-start gap-1.5">
            {keys.map((key) => (
              <kbd key={key} className="rounded-md border border-line bg-raised px-1.5 py-0.5 font-mono text-sm">
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The list of all keys (design.md, rule 5); those of every page are in page-keys.ts. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <ShortcutList />
    </Dialog>
  )
}
