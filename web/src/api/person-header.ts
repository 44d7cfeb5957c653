/** Our own server says with each answer whom it was for: the number of a user, 0 for a guest. */
export const personHeader = 'x-flightdeck-user'
