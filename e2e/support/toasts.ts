/**
 * Records the toasts that have been shown: one is visible for three seconds, which can pass between
 * two checks on a busy machine.
 */
import { type BrowserContext, expect, type Page } from '@playwright/test'

declare const shownToasts: string[]

/** Call before the first page of a context is opened. */
export const watchToasts = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const shownToasts: string[] = []
    Object.assign(window, { shownToasts })
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(node instanceof Element)) continue
        // The first toast can appear together with its list.
        const items = node.matches('li') ? [node] : node.querySelectorAll('[aria-label=Notifications] li')
        for (const item of items)
          if (item.closest('[role=status][aria-label=Notifications]')) shownToasts.push(item.textContent)
      }
    }).observe(document, { childList: true, subtree: true })
  })

/**
 * Waits for a toast with this whole text; toasts shown before it do not count for the next call.
 */
export const toastShows = (page: Page, text: string | RegExp): Promise<void> =>
  expect
    .poll(
      () =>
        page.evaluate((wanted) => {
          const at = shownToasts.findIndex((shown) =>
            typeof wanted === 'string' ? shown === wanted : wanted.test(shown),
          )
          return at >= 0 ? shownToasts.splice(0, at + 1).at(-1) : shownToasts.join('\n')
        }, text),
      { message: `a toast: ${String(text)}` },
    )
    .toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
