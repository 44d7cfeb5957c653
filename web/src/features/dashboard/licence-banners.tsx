import { lazyPart } from '../../browser/lazy-part.tsx'

/** Rarely shown, so its code is loaded on demand. */
const Banner = lazyPart(async () => (await import('./licence-banner.tsx')).LicenceBanner)

/**
 * Two flags that the server sets in the page; each true one has its own banner (readings,
 * "Dashboard").
 */
export function LicenceBanners() {
  return (
    <>
      {window.LICENSE_EXPIRED === true && <Banner text="Your Server License is Expired." />}
      {window.LICENSE_LIMIT_EXCEEDED === true && <Banner text="Your License Limit is Exceeded." />}
    </>
  )
}
