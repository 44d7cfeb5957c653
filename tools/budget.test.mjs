import { expect, test } from 'vitest'
import { firstLoad } from './budget.mjs'

test('the first load is what the page names, the dashboard, the deferred shell, their imports, and the font of the interface', () => {
  const page = '<script src="/assets/index-1.js"></script><link rel="stylesheet" href="/assets/index-2.css">'
  const texts = {
    'index-1.js': 'import{a}from"./shared-3.js";const later=()=>import("./build-page-4.js")',
    'shared-3.js': '',
    'dashboard-page-5.js': 'import"./row-6.js"',
    'row-6.js': '',
    'build-page-4.js': '',
    'deferred-shell-9.js': 'import"./index-1.js"',
  }
  const names = [...Object.keys(texts), 'index-2.css', 'inter-ascii-7.woff2', 'mono-8.woff2']
  expect(firstLoad(page, names, (name) => texts[name]).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'dashboard-page-5.js',
    'deferred-shell-9.js',
    'index-1.js',
    'index-2.css',
    'inter-ascii-7.woff2',
    'row-6.js',
    'shared-3.js',
  ])
})
