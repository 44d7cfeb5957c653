/** Finds invalid HTML that browsers accept silently, and console messages. */
import type { Page } from '@playwright/test'

/**
 * Blocks in elements that allow only text (HTML, "Phrasing content"), controls in controls, and
 * duplicate ids.
 */
export const htmlFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const blocks = [
      'address, article, aside, blockquote, details, dialog, div, dl, fieldset, figure, footer, form, h1, h2, h3, h4, h5, h6',
      'header, hr, li, main, nav, ol, p, pre, section, table, ul',
    ].join()
    const texts = [
      'button',
      'span',
      'p',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'label',
      'code',
      'bdi',
      'em',
      'summary',
      'pre',
    ]
    const controls = 'a[href], button, input, select, textarea, [tabindex]'
    const markupOf = (element: Element): string => element.outerHTML.slice(0, 160)
    const nested = texts
      .flatMap((text) => [...document.querySelectorAll(`${text} :is(${blocks})`)])
      .map((element) => `${element.tagName} in ${element.parentElement?.tagName}: ${markupOf(element)}`)
    const nestedControls = [...document.querySelectorAll(`:is(a[href], button) :is(${controls})`)].map(
      (element) => `control in a control: ${markupOf(element)}`,
    )
    const lists = [...document.querySelectorAll(':is(ul, ol) > :not(li, script, template)')].map(
      (element) => `no li in a list: ${markupOf(element)}`,
    )
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `id twice: ${id}`)
    const missing = [...document.querySelectorAll('[aria-labelledby], [aria-describedby], [aria-controls]')].flatMap(
      (element) =>
        ['aria-labelledby', 'aria-describedby', 'aria-controls']
          .flatMap((name) => (element.getAttribute(name) ?? '').split(/\s+/))
          .filter((id) => id && !document.getElementById(id))
          .map((id) => `no element with id ${id}: ${markupOf(element)}`),
    )
    const links = [...document.querySelectorAll('link[as=""], a[href=""], img[src=""]')].map((element) =>
      markupOf(element),
    )
    return [...new Set([...nested, ...nestedControls, ...lists, ...twice, ...missing, ...links])]
  })

/** Returns the errors and warnings of the console and the failed responses since the last call. */
export function recordConsole(page: Page): () => string[] {
  const messages: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) messages.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => messages.push(String(error)))
  page.on('response', (response) => {
    if (response.status() >= 400) messages.push(`${response.status()} ${response.url()}`)
  })
  return () => messages.splice(0)
}
