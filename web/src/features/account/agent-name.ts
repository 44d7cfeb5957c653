/**
 * The first match counts, since several browsers also name the ones below them in their
 * `User-Agent`.
 */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]
const maxLength = 60

const find = (list: typeof browsers, agent: string): string | undefined =>
  list.find(([pattern]) => pattern.test(agent))?.[1]

/**
 * `Firefox on Linux`: a `User-Agent` header as text. An unknown one is shown unchanged, truncated
 * to 60 characters.
 */
export const agentName = (agent: string): string => {
  const [browser, system] = [find(browsers, agent), find(systems, agent)]
  if (browser) return system ? `${browser} on ${system}` : browser
  if (agent.trim() === '') return 'Unknown browser'
  return agent.length > maxLength ? `${agent.slice(0, maxLength)}…` : agent
}
