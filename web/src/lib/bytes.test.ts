import { expect, test } from 'vitest'

import { formatBytes } from './bytes.ts'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1 KB'],
  [1_540, '1.5 KB'],
  [9_949, '9.9 KB'],
  [9_950, '10 KB'],
  [183_204, '183 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [2_400_000_000, '2.4 GB'],
  [5_000_000_000_000_000, '5000 TB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
