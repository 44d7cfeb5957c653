/**
 * For tests: a self-signed certificate (RFC 5280), generated each time so that it never expires.
 */
import { generateKeyPairSync, sign } from 'node:crypto'

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const head =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), body])
}
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const objectId = (...bytes: number[]) => der(6, Buffer.from(bytes))
const time = (year: number) => der(0x17, Buffer.from(`${String(year % 100).padStart(2, '0')}0101000000Z`))

export function selfSigned(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const withSha256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2))
  const commonName = sequence(objectId(0x55, 4, 3), der(0x0c, Buffer.from('drone.example.com')))
  const name = sequence(der(0x31, commonName))
  const year = new Date().getFullYear()
  const facts = sequence(
    der(2, Buffer.from([1])),
    withSha256,
    name,
    sequence(time(year - 1), time(year + 2)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der(3, Buffer.from([0]), sign('sha256', facts, privateKey))
  const text = sequence(facts, withSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  }
}
