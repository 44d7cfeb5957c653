import { useState } from 'react'

/** Only URLs of images: a name from another server must not become a script. */
const isPicture = (src: string): boolean => /^(https?:|data:image\/|\/(?!\/))/i.test(src)

/**
 * One of twelve colors per name, always the same; its lightness depends on the theme (theme.css).
 */
const hueOf = (login: string): number => {
  let sum = 0
  for (const letter of login) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997
  return (sum % 12) * 30
}

export interface AvatarProps {
  /** Servers omit unknown logins. */
  login: string | undefined
  src?: string | undefined
  size?: number
}

/**
 * A picture, else the first letter. Decorative: the login is shown beside it or names the link
 * around it.
 */
export function Avatar({ login, src, size = 20 }: AvatarProps) {
  const [failed, setFailed] = useState<string>()
  const box = { width: size, height: size }
  if (src && isPicture(src) && failed !== src) {
    return (
      <img
        src={src}
        alt=""
        {...box}
        loading="lazy"
        referrerPolicy="no-referrer"
        className="shrink-0 rounded-full bg-raised object-cover"
        onError={() => setFailed(src)}
      />
    )
  }
  const hue = hueOf(login ?? '')
  // An SVG has its own layout; as text in the row, each key press in the filter takes 3 ms longer
  // (CPU × 4).
  return (
    <svg
      viewBox="0 0 20 20"
      {...box}
      aria-hidden="true"
      className="shrink-0 rounded-full"
      style={{
        background: `oklch(var(--avatar-ground) ${hue})`,
        color: `oklch(var(--avatar-ink) ${hue})`,
      }}
    >
      <text x="10" y="10" dy="0.35em" textAnchor="middle" fontSize="10" fontWeight="600" fill="currentColor">
        {(Array.from(login ?? '')[0] ?? '?').toUpperCase()}
      </text>
    </svg>
  )
}
