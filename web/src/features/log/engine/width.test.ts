import { expect, test } from 'vitest'
import { plainText } from './ansi/index.ts'
import { asciiColumns, columnsOf } from './width.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test.each(['', 'plain', '\u001b[32mok\u001b[0m 12 of 13', '\u001b[1;38;5;120mbold\u001b[m', '~ !'])(
  '%j is as wide as what is read of it',
  (text) => expect(asciiColumns(bytes(text))).toBe(columnsOf(plainText(text))),
)

test.each(['a\tb', 'ü', '写', '\r50 %', '\u001b[2Kgone', '\u001b]8;;x\u0007', '\u001b', '\u001b[31', '\u007f'])(
  '%j is not of the simple kind',
  (text) => expect(asciiColumns(bytes(text))).toBeUndefined(),
)
