import { useId } from 'react'

import { canAdminister, useMe } from '../../api/session.ts'
import { useTitle } from '../../browser/use-title.ts'
import { useRepo } from '../../api/use-repo.ts'
import { ConnectionSection } from './connection-section.tsx'
import { DisableSection } from './disable-section.tsx'
import { GeneralForm } from './general-form.tsx'
import type { SettingsPageProps } from './page-props.ts'
import { RetentionSection } from './retention-section.tsx'
import { Section } from '../common/section.tsx'

/** Specification §2 "Repository settings", General. */
export function GeneralPage({ namespace, name }: SettingsPageProps) {
  const repo = useRepo(namespace, name)
  // Writers see the tab (specification §6), but the server accepts these changes only from
  // administrators (docs/api §2.3).
  const note = canAdminister(useMe(), repo) ? undefined : 'Only repository administrators can change these settings.'
  const noteId = useId()
  useTitle(`Settings – ${repo.slug}`)
  return (
    <>
      <Section title="General" about={note} aboutId={noteId}>
        <GeneralForm key={repo.slug} repo={repo} lockedBy={note && noteId} />
      </Section>
      <RetentionSection repo={repo} />
      <DisableSection repo={repo} locked={note !== undefined} />
      <ConnectionSection repo={repo} />
    </>
  )
}
