import { TriangleAlert } from 'lucide-react'

const learnMore = 'https://docs.drone.io/enterprise/'

function Banner({ text }: { text: string }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-danger px-4 py-2 text-on-danger md:px-6"
    >
      <TriangleAlert className="size-4 shrink-0" aria-hidden="true" />
      <span className="font-medium">{text}</span>
      <a href={learnMore} target="_blank" rel="noreferrer" className="underline underline-offset-2 outline-current">
        Learn more
      </a>
    </div>
  )
}

/** Two flags that the server sets in the page; each true one has its own banner (readings, "Dashboard"). */
export function LicenceBanners() {
  return (
    <>
      {window.LICENSE_EXPIRED === true && <Banner text="Your Server License is Expired." />}
      {window.LICENSE_LIMIT_EXCEEDED === true && <Banner text="Your License Limit is Exceeded." />}
    </>
  )
}
