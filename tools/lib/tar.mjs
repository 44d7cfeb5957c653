// Plain files in a ustar archive, which every `tar` can read. The same files produce the same
// bytes.
const blockBytes = 512

const octal = (value, width) => value.toString(8).padStart(width - 1, '0') + '\0'

function headerOf(name, size) {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name}: a name in an archive has at most 100 bytes`)
  const header = Buffer.alloc(blockBytes)
  header.write(name, 0)
  header.write(octal(0o644, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(size, 12), 124)
  header.write(octal(0, 12), 136)
  header.write(' '.repeat(8) + '0', 148)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(octal(sum, 7) + ' ', 148)
  return header
}

/** An archive of `files` (name → bytes), sorted by name, without owners and times. */
export function packTar(files) {
  const sorted = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const blocks = sorted.flatMap(([name, bytes]) => [
    headerOf(name, bytes.length),
    bytes,
    Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes),
  ])
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)])
}

/** The files of an archive made by `packTar` (name → bytes). */
export function unpackTar(archive) {
  const files = new Map()
  for (let at = 0; at + blockBytes <= archive.length && archive[at] !== 0;) {
    const text = (from, length) => archive.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 12), 8)
    const start = at + blockBytes
    if (text(257, 5) !== 'ustar' || text(156, 1) !== '0' || start + size > archive.length)
      throw new Error(`This is not an archive of plain files (byte ${at})`)
    files.set(text(0, 100), archive.subarray(start, start + size))
    at = start + Math.ceil(size / blockBytes) * blockBytes
  }
  return files
}
