/** This machine's platform, named as in docs/api §7.4. */
export interface Platform {
  os: string
  arch: string
}

const systems: Record<string, string> = { win32: 'windows' }
const architectures: Record<string, string> = { x64: 'amd64', ia32: '386' }

export const thisPlatform = (): Platform => ({
  os: systems[process.platform] ?? process.platform,
  arch: architectures[process.arch] ?? process.arch,
})
