export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path d="M7 21.5 16 7l9 14.5-9-3.6z" className="fill-on-accent" />
    </svg>
  )
}
