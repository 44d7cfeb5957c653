/** Signing in on a server that is connected to a forge. */
import { expect, signedOut, test } from '../support/screens.ts'
import type { Page } from '@playwright/test'

const url = 'https://git.example.com'
const connect = (page: Page, title: string, signIn: 'oauth' | 'password') =>
  page.addInitScript((forge) => void (window.flightdeckForge = forge), { title, url, sign_in: signIn })

test('the form of a server with Gogs names the account whose password it needs', async ({ page, host, go }) => {
  signedOut(host)
  await connect(page, 'Gogs', 'password')
  await go('/login/form')
  await expect(page.getByRole('heading', { name: 'Sign in with your Gogs account' })).toBeVisible()
  await expect(page.getByRole('link', { name: url })).toHaveAttribute('href', url)
  await expect(page.getByLabel('Username')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Sign in with/ })).toHaveCount(0)
})

test('the form of a server with GitLab links to its pages @system', async ({ page, host, go }) => {
  signedOut(host)
  await connect(page, 'GitLab', 'oauth')
  await go('/login/form')
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in with GitLab' })).toHaveAttribute('href', '/login')
})

test('a refused sign-in keeps the server’s message and says what to do @system', async ({ page, host, go }) => {
  signedOut(host)
  await connect(page, 'GitLab', 'oauth')
  for (const [message, words] of [
    ['GitLab: access_denied', 'You did not allow Flightdeck to use your GitLab account.'],
    [
      'This sign-in was not started in this browser, or took too long. Try again.',
      'Start again, and finish in the same browser within 15 minutes.',
    ],
    ['User must be a member of an approved organization', 'Ask to join one of these organizations'],
    ['User registration is disabled', 'Ask an administrator to add you first.'],
  ] as const) {
    await go(`/login/error?message=${encodeURIComponent(message)}`)
    await expect(page.getByText(message, { exact: true })).toBeVisible()
    await expect(page.getByText(words)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible()
  }
})
