import { Dialog } from '../ui/dialog.tsx'

const list = [
  { keys: ['/'], does: 'Search repositories, branches and builds' },
  { keys: ['g then h'], does: 'Go to the dashboard' },
  { keys: ['g then b'], does: 'Go to the builds feed' },
  { keys: ['g then a'], does: 'Go to your account' },
  { keys: ['j', 'k'], does: 'Lists: next and previous row' },
  { keys: ['t'], does: 'Builds of a repository: times of each step' },
  { keys: ['/'], does: 'In a log: find in it' },
  { keys: ['f', 'Shift+f'], does: 'Build page: next and previous failing step' },
  { keys: ['e', 'Shift+e'], does: 'Build page: next and previous line that tells why' },
  { keys: ['o'], does: 'Build page: only lines that the last green run did not have' },
  { keys: ['t'], does: 'Build page: another time beside the log’s lines' },
  { keys: ['s'], does: 'Build page: open the file that the log names there' },
  { keys: ['c'], does: 'Build page: what changed since the step last passed' },
  { keys: [']', '['], does: 'Build page: next and previous step' },
  { keys: ['i'], does: 'Build page: show its details' },
  { keys: ['n', 'p'], does: 'Build page: newer and older build of the branch' },
  { keys: [']', '['], does: 'Commit page: next and previous file' },
  { keys: ['n', 'p'], does: 'Commit page: newer and older commit' },
  { keys: ['Esc'], does: 'Leave a dialog, a menu or the search' },
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
