import { useTitle } from '../../ui/use-title.ts'
import { useRepo } from '../repository/index.ts'
import { DisableSection } from './disable-section.tsx'
import { GeneralForm } from './general-form.tsx'
import type { SettingsPageProps } from './layout.tsx'
import { Section } from './section.tsx'

/** Specification §2 "Repository settings", General. */
export function GeneralPage({ namespace, name }: SettingsPageProps) {
  const repo = useRepo(namespace, name)
  useTitle(`Settings – ${repo.slug}`)
  return (
    <>
      <Section title="General">
        <GeneralForm key={repo.slug} repo={repo} />
      </Section>
      <DisableSection repo={repo} />
    </>
  )
}
