/** `test` with a fake Drone server and a gateway to it. */
import { join } from 'node:path'
import { DroneStand, type DroneStandOptions } from '../../server/src/testing/drone-stand.ts'
import { test as base, expect } from './product.ts'

export { expect }
export { standToken } from '../../server/src/testing/drone-stand.ts'

export const test = base.extend<{
  inFront: (options?: DroneStandOptions & { serverToken?: string }) => Promise<{ drone: DroneStand; origin: string }>
}>({
  inFront: async ({ folder, start }, use) => {
    const stands: DroneStand[] = []
    await use(async ({ serverToken, ...options } = {}) => {
      const drone = await new DroneStand(options).listen()
      stands.push(drone)
      const data = join(folder, 'gateway')
      const { origin } = await start({ data, server: drone.origin, ...(serverToken && { serverToken }) })
      return { drone, origin }
    })
    for (const stand of stands) stand.close()
  },
})
