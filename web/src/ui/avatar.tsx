import { useState } from 'react'

import { cx } from './class-names.ts'

/** Only addresses that a picture can have: a name typed at another server must not become a script. */
const isPicture = (src: string): boolean => /^(https?:|data:image\/|\/(?!\/))/i.test(src)

export interface AvatarProps {
  /** Servers leave out what they do not know. */
  login: string | undefined
  src?: string | undefined
  size?: number
}

/** A picture, else the first letter. Decoration: the login stands beside it or names the link around it. */
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
  return (
    <svg viewBox="0 0 20 20" {...box} aria-hidden="true" className={cx('shrink-0 rounded-full bg-raised text-muted')}>
      <text x="10" y="10" dy="0.35em" textAnchor="middle" fontSize="10" fontWeight="600" fill="currentColor">
        {(Array.from(login ?? '')[0] ?? '?').toUpperCase()}
      </text>
    </svg>
  )
}
