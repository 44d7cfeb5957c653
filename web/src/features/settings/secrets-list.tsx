import type { Secret } from '@flightdeck/api'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { SecretsOf } from '../../api/actions/entries.ts'
import { RemoteList } from '../common/remote-list.tsx'
import { SecretForm } from './secret-form.tsx'
import { SecretRow } from './secret-row.tsx'
import { Section } from '../common/section.tsx'

interface SecretsListProps {
  of: SecretsOf
  title: string
  about: string
  query: UseQueryResult<Secret[]>
  /** Shown below the form, so that the form does not move when it appears. */
  children?: ReactNode
}

/**
 * A list of secrets and the form for a new one. Values are never shown, because the server does not
 * return them.
 */
export function SecretsList({ of, title, about, query, children }: SecretsListProps) {
  return (
    <>
      <Section title={title} about={about}>
        <RemoteList query={query} what="secrets" hint="Add the first secret below.">
          {(secret) => <SecretRow key={secret.name} secret={secret} of={of} />}
        </RemoteList>
      </Section>
      {/* Rendered after the list, because below a list of unknown length it would jump. */}
      {!query.isPending && (
        <Section title="New secret">
          <SecretForm {...of} />
        </Section>
      )}
      {children}
    </>
  )
}
