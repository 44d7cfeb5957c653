import { useQuery } from '@tanstack/react-query'

import { queryOf } from '../../api/queries.ts'
import { useNavigation } from '../../browser/navigation.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { paths } from '../../lib/paths.ts'

export interface BranchChoiceProps {
  namespace: string
  name: string
  branch: string
}

/** The branches that have builds; the selected one is in the URL. */
export function BranchChoice({ namespace, name, branch }: BranchChoiceProps) {
  const { navigate } = useNavigation()
  const { data: builds = [] } = useQuery(queryOf('listBranches', namespace, name))
  const names = [...new Set([branch, ...builds.map(({ target }) => target)])].filter(Boolean)
  return (
    <SelectField
      label="Branch"
      hideLabel
      className="w-56 max-w-full"
      value={branch}
      options={names.map((value) => ({ value, label: value }))}
      onChange={(value) => navigate(paths.times(namespace, name, value), { replace: true })}
    />
  )
}
