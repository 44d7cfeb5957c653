import { describe, expect, test } from 'vitest'
import { parseLine, plainText, styleAfter } from './line.ts'
import { flag, plainStyle, trueColour } from './style.ts'

const esc = '\u001b'
const texts = (line: string) => parseLine(line).segments.map((segment) => segment.text)
const first = (line: string) => parseLine(line).segments[0]

describe('colours and styles', () => {
  test.each([
    ['31', { fg: 1 }],
    ['97', { fg: 15 }],
    ['44', { bg: 4 }],
    ['103', { bg: 11 }],
    ['38;5;208', { fg: 208 }],
    ['48;5;17', { bg: 17 }],
    ['38;2;1;2;3', { fg: trueColour + 0x010203 }],
    ['38:2::1:2:3', { fg: trueColour + 0x010203 }],
    ['38:2:1:2:3', { fg: trueColour + 0x010203 }],
    ['48:5:17', { bg: 17 }],
    ['1', { flags: flag.bold }],
    ['1;2;3;4;9;7', { flags: flag.bold | flag.dim | flag.italic | flag.underline | flag.strike | flag.inverse }],
    ['1;31;22', { fg: 1 }],
    ['4:3', { flags: flag.underline }],
    ['4;4:0', {}],
    ['31;39', {}],
    ['31;0', {}],
    ['31;', {}],
    ['999', {}],
    ['38;5', {}],
    ['38;2;1', {}],
    ['38;5;31;1', { fg: 31, flags: flag.bold }],
  ])('SGR %s', (parameters, expected) => {
    expect(first(`${esc}[${parameters}mx`)?.style).toEqual({ ...plainStyle, ...expected })
  })

  test('the style continues on the next lines until it is reset', () => {
    const { style } = parseLine(`${esc}[1;32mgreen`)
    expect(parseLine('still', style).segments[0]?.style).toEqual({ fg: 2, bg: -1, flags: flag.bold })
    expect(parseLine(`${esc}[mplain`, style).segments[0]?.style).toEqual(plainStyle)
    expect(styleAfter(`a${esc}[4mb`, style)).toEqual({ fg: 2, bg: -1, flags: flag.bold | flag.underline })
  })
})

describe('what a terminal would show', () => {
  test.each([
    ['10%\r50%\r100%', '100%'],
    ['a long line\rshort', 'shortg line'],
    [`a long line\r${esc}[Kshort`, 'short'],
    [`progress${esc}[2K\rdone`, 'done'],
    [`abc${esc}[1Kd`, '   d'],
    ['line end\r', 'line end'],
    ['abc\b\bX', 'aXc'],
    [`a${esc}[3Cb`, 'a   b'],
    [`abcdef${esc}[2GX`, 'aXcdef'],
    [`abc${esc}[2DX`, 'aXc'],
    ['tab\tstays', 'tab\tstays'],
    ['bell\u0007gone\u0000', 'bellgone'],
    [`${esc}[?25lhidden cursor${esc}[?25h`, 'hidden cursor'],
    [`${esc}(Bcharset`, 'charset'],
    [`${esc}]0;title\u0007text`, 'text'],
    [`${esc}]0;title${esc}\\text`, 'text'],
    [`${esc}Pdevice${esc}\\text`, 'text'],
    [`unfinished ${esc}[31`, 'unfinished '],
    [`unfinished ${esc}]8;;http://x`, 'unfinished '],
    [`broken ${esc}[31\u0001m`, 'broken m'],
    ['emoji 👩‍💻\rX', 'Xmoji 👩‍💻'],
    [`far ${esc}[999999999Cx`, `far ${' '.repeat(4096)}x`],
  ])('%j', (line, expected) => {
    expect(plainText(line)).toBe(expected)
  })
})

describe('links', () => {
  test('plain URLs, without the punctuation around them', () => {
    expect(parseLine('see (https://example.com/a_(b)), or mailto:a@b.c.').segments).toMatchObject([
      { text: 'see (', href: undefined },
      { text: 'https://example.com/a_(b)', href: 'https://example.com/a_(b)' },
      { text: '), or ', href: undefined },
      { text: 'mailto:a@b.c', href: 'mailto:a@b.c' },
      { text: '.', href: undefined },
    ])
  })

  test('a URL with a color change inside is one link in two parts', () => {
    const parts = parseLine(`https://exa${esc}[1mmple.com x`).segments
    expect(parts.map((part) => part.href)).toEqual(['https://example.com/', 'https://example.com/', undefined])
  })

  test('hyperlink sequences', () => {
    const [link, rest] = parseLine(`${esc}]8;id=1;https://example.com/x${esc}\\here${esc}]8;;${esc}\\ and on`).segments
    expect(link).toMatchObject({ text: 'here', href: 'https://example.com/x' })
    expect(rest).toMatchObject({ text: ' and on', href: undefined })
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'JaVaScRiPt:alert(1)', ' javascript:1'])(
    '%s is no link',
    (address) => {
      expect(parseLine(`${esc}]8;;${address}\u0007x${esc}]8;;\u0007`).segments[0]?.href).toBeUndefined()
      expect(parseLine(`go to ${address}`).segments.every((part) => part.href === undefined)).toBe(true)
    },
  )
})

test('markup stays text', () => {
  expect(texts('<img src=x onerror=alert(1)>&amp;')).toEqual(['<img src=x onerror=alert(1)>&amp;'])
})
