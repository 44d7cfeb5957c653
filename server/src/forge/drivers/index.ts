import type { Driver, ForgeSettings } from '../driver.ts'

/** The driver of that forge. Its libraries are loaded only here, for a server without a forge needs none of them. */
export async function createDriver(settings: ForgeSettings): Promise<Driver> {
  switch (settings.kind) {
    case 'gitea':
    case 'forgejo': {
      const { giteaDriver } = await import('./gitea.ts')
      return giteaDriver({ ...settings, kind: settings.kind })
    }
    case 'gogs': {
      const { gogsDriver } = await import('./gogs.ts')
      return gogsDriver({ ...settings, kind: settings.kind })
    }
    case 'github': {
      const { githubDriver } = await import('./github.ts')
      return githubDriver({ ...settings, kind: settings.kind })
    }
    case 'gitlab': {
      const { gitlabDriver } = await import('./gitlab.ts')
      return gitlabDriver({ ...settings, kind: settings.kind })
    }
  }
}
