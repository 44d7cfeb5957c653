import { paths } from '../../lib/paths.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { useAddress } from '../../browser/navigation.tsx'

/** What there is to settle for the whole system. Another server has its users only, and no tabs. */
export function SystemTabs() {
  const { pathname } = useAddress()
  const items = [
    { to: paths.users, label: 'Users' },
    { to: paths.runners, label: 'Runners' },
    { to: paths.audit, label: 'Audit log' },
  ]
  return <Tabs label="Settings" items={items.map((item) => ({ ...item, current: item.to === pathname }))} />
}
