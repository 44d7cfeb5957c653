import { Check, Copy } from 'lucide-react'
import { useRef, useState } from 'react'

import { Button } from './button.tsx'
import { copyKeys, copyText } from '../browser/copy.ts'
import { toast } from './toast.ts'

export interface CopyButtonProps {
  text: string
  /**
   * The id of the element with the text, which is selected if the browser does not let the page
   * copy.
   */
  textId: string
  /** The accessible name, such as "Copy token". */
  label: string
  /** The specification has `Copied` on the account page and `Copied!` at badges. */
  copiedLabel: 'Copied' | 'Copied!'
  onCopied?: () => void
}

const selectText = (id: string): void => {
  const element = document.getElementById(id)
  if (element) document.getSelection()?.selectAllChildren(element)
}

/** Specification §9: "Copied label 2 s". */
export function CopyButton({ text, textId, label, copiedLabel, onCopied }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const copy = async () => {
    if (await copyText(text)) {
      setCopied(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setCopied(false), 2_000)
      onCopied?.()
      return
    }
    selectText(textId)
    toast.error(`Your browser blocked copying. The text is selected; press ${copyKeys()}.`)
  }
  return (
    <span className="inline-flex items-center">
      <Button size="sm" aria-label={copied ? undefined : label} onClick={() => void copy()}>
        {copied ? (
          <Check className="size-3.5 text-success" aria-hidden="true" />
        ) : (
          <Copy className="size-3.5" aria-hidden="true" />
        )}
        <span aria-live="polite">{copied ? copiedLabel : 'Copy'}</span>
      </Button>
    </span>
  )
}
