/** `test` with the stand-in for Drone and a gateway in front of it. */
import { join } from 'node:path'
import { DroneStand, type DroneStandOptions } from '../../server/src/testing/drone-stand.ts'
import { test as base, expect } from './product.ts'

export { expect }
export { standToken } from '../../server/src/testing/drone-stand.ts'

export const test = base.extend<{
  inFront: (options?: DroneStandOptions) => Promise<{ drone: DroneStand; origin: string }>
}>({
  inFront: async ({ folder, start }, use) => {
    const stands: DroneStand[] = []
    await use(async (options) => {
      const drone = await new DroneStand(options).listen()
      stands.push(drone)
      const { origin } = await start({ data: join(folder, 'gateway'), server: drone.origin })
      return { drone, origin }
    })
    for (const stand of stands) stand.close()
  },
})
