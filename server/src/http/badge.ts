/** The status picture and the CCTray document of a repository (docs/api §2.9). */
import type { Build } from '@flightdeck/api'
import { rfc3339 } from './rfc-time.ts'

const kinds = {
  success: { text: 'success', width: 91, colour: '#4c1' },
  started: { text: 'started', width: 87, colour: '#dfb317' },
  failure: { text: 'failure', width: 83, colour: '#e05d44' },
  error: { text: 'error', width: 76, colour: '#9f9f9f' },
  none: { text: 'none', width: 75, colour: '#9f9f9f' },
}
const labelWidth = 37

/** Of a build, or of one of its stages. */
type Shown = Pick<Build, 'status'> | null

function kindOf(build: Shown): keyof typeof kinds {
  if (!build || build.status === 'skipped') return 'none'
  if (build.status === 'success' || build.status === 'error') return build.status
  return isGoingOn(build) ? 'started' : 'failure'
}
const isGoingOn = (build: Pick<Build, 'status'>): boolean =>
  /^(pending|running|blocked|waiting_on_dependencies)$/.test(build.status)

export function badge(build: Shown): string {
  const { text, width, colour } = kinds[kindOf(build)]
  const middle = labelWidth + (width - labelWidth) / 2 - 1
  const textAt = (x: number, content: string) =>
    `<text x="${x}" y="15" fill="#010101" fill-opacity=".3">${content}</text><text x="${x}" y="14">${content}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20">`,
    '<linearGradient id="a" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/>',
    '<stop offset="1" stop-opacity=".1"/></linearGradient>',
    `<rect rx="3" width="${width}" height="20" fill="#555"/>`,
    `<rect rx="3" x="${labelWidth}" width="${width - labelWidth}" height="20" fill="${colour}"/>`,
    `<path fill="${colour}" d="M${labelWidth} 0h4v20h-4z"/>`,
    `<rect rx="3" width="${width}" height="20" fill="url(#a)"/>`,
    '<g fill="#fff" text-anchor="middle" font-family="DejaVu Sans,Verdana,Geneva,sans-serif" font-size="11">',
    textAt(labelWidth / 2 + 1, 'build'),
    textAt(middle, text),
    '</g></svg>',
  ].join('')
}

const ccStatus: Record<string, string> = {
  success: 'Success',
  failure: 'Failure',
  error: 'Exception',
  killed: 'Exception',
  declined: 'Exception',
}
const attribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;')

export function ccXml(slug: string, build: Build, publicUrl: string): string {
  const sleeping = !isGoingOn(build)
  const attributes = {
    name: slug,
    activity: sleeping ? 'Sleeping' : 'Building',
    lastBuildStatus: sleeping ? (ccStatus[build.status] ?? 'Unknown') : 'Unknown',
    lastBuildLabel: sleeping ? String(build.number) : 'Unknown',
    lastBuildTime: (sleeping && rfc3339(build.started)) || '',
    webUrl: `${publicUrl}/${slug}/${build.number}`,
  }
  const text = Object.entries(attributes).map(([name, value]) => `${name}="${attribute(value)}"`)
  return `<Projects><Project ${text.join(' ')}></Project></Projects>`
}
