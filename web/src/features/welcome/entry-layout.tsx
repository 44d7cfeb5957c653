import type { ReactNode } from 'react'

import { Logo } from '../../ui/logo.tsx'
import { ProductPreview } from './product-preview.tsx'

/**
 * The layout of the pages around signing in: the form on the left, and a preview of the product
 * beside it if there is room.
 */
export function EntryLayout({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-h-page bg-surface lg:grid lg:grid-cols-[2fr_3fr]">
      <div className="flex min-h-page items-center justify-center p-6">
        <div className="flex w-full max-w-90 flex-col gap-5">
          <Logo size={40} />
          <h1 className="text-2xl font-semibold">{title}</h1>
          {children}
        </div>
      </div>
      <ProductPreview />
    </div>
  )
}
