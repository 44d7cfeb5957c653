/** The status badge and how other pages show it (specification §2 "Badges", §7). */

export interface BadgeOf {
  /** Of the API, where the picture comes from. */
  host: string
  /** Of this page, where the picture leads. */
  page: string
  namespace: string
  name: string
  /** Empty: the default branch. */
  branch: string
  /** Empty: any. Only on our own server. */
  event?: string
  /** Empty: the whole build. Only on our own server. */
  stage?: string
}

/** Escaped for an address, and for the brackets and quotes of Markdown and markup around it. */
const escape = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const slugOf = ({ namespace, name }: BadgeOf): string => `${escape(namespace)}/${escape(name)}`

/** The part of the address after the host. A slash in a branch name stays one: that is how the API is documented. */
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
