import { paths } from '../../lib/paths.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { useAddress } from '../../browser/navigation.tsx'

/** The tabs of the system settings. Other servers only have users, so there are no tabs. */
export function SystemTabs() {
  const { pathname } = useAddress()
  const items = [
    { to: paths.users, label: 'Users' },
    { to: paths.runners, label: 'Runners' },
    { to: paths.audit, label: 'Audit log' },
  ]
  return <Tabs label="Settings" items={items.map((item) => ({ ...item, current: item.to === pathname }))} />
}
