/** The status badge and the snippets that embed it (specification §2 "Badges", §7). */

export interface BadgeOf {
  /** The origin of the API, which serves the image. */
  host: string
  /** The origin of this page, which the image links to. */
  page: string
  namespace: string
  name: string
  /** Empty: the default branch. */
  branch: string
  /** Empty: any. Flightdeck only. */
  event?: string
  /** Empty: the whole build. Flightdeck only. */
  stage?: string
}

/** Escapes text for a URL, and for the brackets and quotes of Markdown and markup around it. */
const escape = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const slugOf = ({ namespace, name }: BadgeOf): string => `${escape(namespace)}/${escape(name)}`

/** The path and query. A slash in a branch name is not escaped, as the API documents. */
export const badgePath = (badge: BadgeOf): string => {
  const ref = badge.branch.trim().split('/').map(escape).join('/')
  const parameters = [
    ref && `ref=refs/heads/${ref}`,
    badge.event && `event=${escape(badge.event)}`,
    badge.stage?.trim() && `stage=${escape(badge.stage.trim())}`,
  ].filter(Boolean)
  return `/api/badges/${slugOf(badge)}/status.svg${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`
}

export interface Snippet {
  syntax: 'Markdown' | 'Markup' | 'CCMenu'
  text: string
}

export const snippetsOf = (badge: BadgeOf): Snippet[] => {
  const image = `${badge.host}${badgePath(badge)}`
  const target = `${badge.page}/${slugOf(badge)}`
  return [
    { syntax: 'Markdown', text: `[![Build Status](${image})](${target})` },
    { syntax: 'Markup', text: `<a href="${target}"><img src="${image}" alt="Build Status"></a>` },
    { syntax: 'CCMenu', text: `${badge.host}/api/badges/${slugOf(badge)}/cc.xml` },
  ]
}
