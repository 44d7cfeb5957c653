/**
 * Which graph nodes can be selected, and which steps have data to show (specification §2, "Graph
 * view").
 */

const closed = ['skipped', 'declined', 'waiting_on_dependencies']
const waiting = ['pending', 'blocked', 'waiting_on_dependencies']
const withoutData = ['pending', 'skipped', 'blocked', 'waiting_on_dependencies']

export const isSelectable = (status: string): boolean => !closed.includes(status)
export const hasData = (status: string): boolean => !withoutData.includes(status)

/** Whether it has not started: its border is dashed (design.md). */
export const isWaiting = (status: string): boolean => waiting.includes(status)
