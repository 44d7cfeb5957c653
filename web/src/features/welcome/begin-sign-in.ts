/** Tells the guard that the next signed-in visit comes from here (web/src/app/return-address.ts). */
export const beginSignIn = (): void => {
  try {
    sessionStorage.setItem('flightdeck.sign-in-begun', '1')
  } catch {
    // Without storage one lands on the dashboard after signing in.
  }
}
