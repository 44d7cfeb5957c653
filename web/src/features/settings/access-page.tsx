import { useQuery } from '@tanstack/react-query'

import { queryOf } from '../../api/queries.ts'
import { useTitle } from '../../browser/use-title.ts'
import { NotFound } from '../common/not-found.tsx'
import { useRepo } from '../../api/use-repo.ts'
import { AccessForm } from './access-form.tsx'
import { AccessRow } from './access-row.tsx'
import type { SettingsPageProps } from './page-props.ts'
import { RemoteList } from '../common/remote-list.tsx'
import { Section } from '../common/section.tsx'
import { useMayManageAccess } from './use-access.ts'

const about = {
  private: 'Who can see and change this repository. System administrators always have full access.',
  internal: 'All signed-in users can read this repository. People listed here can do more.',
  public: 'Anyone who can open its pages can read this repository. People listed here can do more.',
}

function Access({ namespace, name }: SettingsPageProps) {
  const { visibility } = useRepo(namespace, name)
  const query = useQuery(queryOf('listCollaborators', namespace, name))
  return (
    <>
      <Section title="Access" about={about[visibility]}>
        <RemoteList query={query} what="collaborators" hint="Add the first person below.">
          {(person) => <AccessRow key={person.login} repo={{ namespace, name }} person={person} />}
        </RemoteList>
      </Section>
      {/* Rendered after the list, because below a list of unknown length it would jump. */}
      {!query.isPending && (
        <Section title="Add a person">
          <AccessForm namespace={namespace} name={name} />
        </Section>
      )}
    </>
  )
}

/** The roles of people on this repository, for its administrators (Flightdeck only). */
export function AccessPage({ namespace, name }: SettingsPageProps) {
  const repo = useRepo(namespace, name)
  useTitle(`Access – ${repo.slug}`)
  return useMayManageAccess({ namespace, name }) ? <Access namespace={namespace} name={name} /> : <NotFound />
}
