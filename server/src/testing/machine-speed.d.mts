/** Milliseconds of processor time of a process's main thread so far. */
export function processorMsOf(process: number): number
/** The same without the time that the host gave to other machines: use the difference of two. */
export function workMsOf(process: number): number
/** The milliseconds that the reference machine needs for work that just took `workMs` here. */
export function atUsualSpeed(workMs: number): number
