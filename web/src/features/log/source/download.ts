const textUrl = (blob: Blob): string => URL.createObjectURL(new Blob([blob], { type: 'text/plain;charset=utf-8' }))

/** Opens a blob as plain text in a new tab. */
export const openAsText = (blob: Blob): void => {
  const url = textUrl(blob)
  window.open(url, '_blank', 'noopener')
  // The new tab has read the address by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Saves a blob as a file, by the browser's own means. */
export const saveAs = (blob: Blob, fileName: string): void => {
  const url = textUrl(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  document.body.append(link)
  link.click()
  link.remove()
  // The download has read the address by then; kept until now because some browsers read it late.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
