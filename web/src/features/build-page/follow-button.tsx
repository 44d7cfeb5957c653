import { ListVideo } from 'lucide-react'

import { Button } from '../../ui/button.tsx'

/** Resumes following the build. It is above the view, so that nothing moves when it appears. */
export function FollowButton({ onFollow, className }: { onFollow: () => void; className: string }) {
  return (
    <Button size="sm" className={`absolute bottom-3 z-10 rounded-full shadow-overlay ${className}`} onClick={onFollow}>
      <ListVideo className="size-4" aria-hidden="true" />
      Follow the build
    </Button>
  )
}
