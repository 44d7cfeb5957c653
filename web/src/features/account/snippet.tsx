import { useId } from 'react'

import { CopyButton } from '../../ui/copy-button.tsx'

/** A text to copy: heading, copy button and text. */
export function Snippet({ title, label, text }: { title: string; label: string; text: string }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex max-w-4xl min-w-0 flex-col gap-2">
      <div className="flex min-h-8 items-center justify-between gap-2">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        <CopyButton textId={`${id}-text`} text={text} label={label} copiedLabel="Copied" />
      </div>
      <pre
        id={`${id}-text`}
        className="rounded-lg border border-line bg-raised px-3 py-2.5 font-mono text-sm leading-5 break-all whitespace-pre-wrap"
      >
        {text}
      </pre>
    </section>
  )
}
