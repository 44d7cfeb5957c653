import type { Driver, ForgeSettings } from '../driver.ts'
import { followRequiredSignIn } from './require-sign-in.ts'

/**
 * The driver of a forge. Its libraries are loaded only here, because a server without a forge needs
 * none of them.
 */
export async function createDriver(settings: ForgeSettings): Promise<Driver> {
  switch (settings.kind) {
    case 'gitea':
    case 'forgejo': {
      const { giteaDriver } = await import('./gitea.ts')
      return followRequiredSignIn(giteaDriver({ ...settings, kind: settings.kind }), settings)
    }
    case 'gogs': {
      const { gogsDriver } = await import('./gogs.ts')
      return followRequiredSignIn(gogsDriver({ ...settings, kind: settings.kind }), settings)
    }
    case 'github': {
      const { githubDriver } = await import('./github.ts')
      return followRequiredSignIn(githubDriver({ ...settings, kind: settings.kind }), settings)
    }
    case 'gitlab': {
      const { gitlabDriver } = await import('./gitlab.ts')
      return gitlabDriver({ ...settings, kind: settings.kind })
    }
  }
}
