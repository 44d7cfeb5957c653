import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'

import { Button } from './button.tsx'

export interface CopyButtonProps {
  text: string
  /** The accessible name, such as "Copy token". */
  label: string
  /** The specification says `Copied` on the account page and `Copied!` at badges. */
  copiedLabel: 'Copied' | 'Copied!'
}

/** Without a secure context there is no clipboard: the selection of a hidden field does it. */
const copyByHand = (text: string): void => {
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

const copy = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    copyByHand(text)
  }
}

/** Specification §9: "Copied label 2 s". */
export function CopyButton({ text, label, copiedLabel }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <span className="inline-flex items-center">
      <Button
        size="sm"
        aria-label={copied ? undefined : label}
        onClick={() => {
          setCopied(true)
          void copy(text)
        }}
      >
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
