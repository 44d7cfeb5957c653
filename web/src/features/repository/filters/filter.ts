/** Which builds of a list are shown. It stands in the address, so that it can be shared and survives reload and Back. */
import { buildEvents, statuses, type Build, type BuildEvent, type Status } from '@flightdeck/api'

export interface BuildsFilter {
  branch: string
  event: BuildEvent | ''
  status: Status | ''
  author: string
  text: string
}
export type FilterName = keyof BuildsFilter

export const noFilter: BuildsFilter = { branch: '', event: '', status: '', author: '', text: '' }
export const filterNames = Object.keys(noFilter) as FilterName[]

const oneOf = <T extends string>(known: readonly T[], value: string | null): T | '' =>
  known.find((one) => one === value) ?? ''

export const readFilter = (params: URLSearchParams): BuildsFilter => ({
  branch: params.get('branch') ?? '',
  event: oneOf(buildEvents, params.get('event')),
  status: oneOf(statuses, params.get('status')),
  author: params.get('author') ?? '',
  text: params.get('text') ?? '',
})

export const isFiltered = (filter: BuildsFilter): boolean => filterNames.some((name) => filter[name].trim() !== '')

/** For the address and for the server: what is empty is left out. */
export const filterParams = (filter: BuildsFilter): Record<string, string> =>
  Object.fromEntries(filterNames.flatMap((name) => (filter[name].trim() === '' ? [] : [[name, filter[name].trim()]])))

const isPart = (text: string | undefined, wanted: string): boolean => (text ?? '').toLowerCase().includes(wanted)
const isSame = (login: string | undefined, wanted: string): boolean => login?.toLowerCase() === wanted

const hasText = (build: Build, wanted: string): boolean => {
  const { title, message, author_login, author_name, ref, deploy_to, cron, after, number } = build
  return (
    wanted.replace('#', '') === String(number) ||
    [title, message, author_login, author_name, ref, deploy_to, cron, after].some((text) => isPart(text, wanted))
  )
}

/** The rules of our own server (docs/api §2.4), for lists of a server that has no filter. */
export const meets = (build: Build, filter: BuildsFilter): boolean => {
  const author = filter.author.trim().toLowerCase()
  const text = filter.text.trim().toLowerCase()
  return (
    (filter.branch.trim() === '' || build.ref === `refs/heads/${filter.branch.trim()}`) &&
    (filter.event === '' || build.event === filter.event) &&
    (filter.status === '' || build.status === filter.status) &&
    (author === '' || [build.author_login, build.actor, build.trigger].some((login) => isSame(login, author))) &&
    (text === '' || hasText(build, text))
  )
}
