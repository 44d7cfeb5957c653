const textUrl = (blob: Blob): string => URL.createObjectURL(new Blob([blob], { type: 'text/plain;charset=utf-8' }))

/** Opens a blob as plain text in a new tab. */
export const openAsText = (blob: Blob): void => {
  const url = textUrl(blob)
  window.open(url, '_blank', 'noopener')
  // The new tab has loaded the URL by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Saves a blob as a file, using the browser's download. */
export const saveAs = (blob: Blob, fileName: string): void => {
  const url = textUrl(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  document.body.append(link)
  link.click()
  link.remove()
  // The download has read the URL by then; some browsers read it late.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
