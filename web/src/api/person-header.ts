/**
 * Flightdeck sends a header with each response that names its user: a user id, or 0 for a guest.
 */
export const personHeader = 'x-flightdeck-user'
