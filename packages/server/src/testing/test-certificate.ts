import { createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'

export interface TestCertificate {
  readonly cert: string
  readonly key: string
}

export interface TestCertificateOptions {
  /** Who signs it; itself unless told. */
  readonly issuer?: TestCertificate | undefined
  readonly validFrom?: Date | undefined
  readonly validTo?: Date | undefined
}

/** A certificate for tests, made without anything but Node: for this name, its addresses on this machine and `localhost`. It may also
 *  sign others. */
export function testCertificate(name: string, options: TestCertificateOptions = {}): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { issuer } = options
  const nowMs = Date.now()
  const from = options.validFrom ?? new Date(nowMs - 3_600_000)
  const to = options.validTo ?? new Date(nowMs + 86_400_000)
  const issuerName = issuer === undefined ? name : commonNameOf(issuer.cert)
  const toBeSigned = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    distinguishedName(issuerName),
    sequence(time(from), time(to)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      sequence(extension(basicConstraints, sequence(tagged(0x01, Buffer.of(0xff)))), alternativeNames(name)),
    ),
  )
  const signature = sign('sha256', toBeSigned, issuer === undefined ? privateKey : createPrivateKey(issuer.key))
  const der = sequence(toBeSigned, ecdsaWithSha256, bitString(signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function commonNameOf(cert: string): string {
  return /^CN=(.*)$/m.exec(new X509Certificate(cert).subject)?.[1] ?? ''
}

const basicConstraints = objectId(0x55, 0x1d, 0x13)
const subjectAlternativeName = objectId(0x55, 0x1d, 0x11)
const commonName = objectId(0x55, 0x04, 0x03)
const ecdsaWithSha256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))

function alternativeNames(name: string): Buffer {
  const names = isIP(name) === 0 ? [tagged(0x82, Buffer.from(name))] : []
  const localhost = tagged(0x82, Buffer.from('localhost'))
  return extension(subjectAlternativeName, sequence(...names, localhost, tagged(0x87, Buffer.of(127, 0, 0, 1))))
}

function extension(id: Buffer, value: Buffer): Buffer {
  return sequence(id, tagged(0x04, value))
}

function distinguishedName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(commonName, tagged(0x0c, Buffer.from(name)))))
}

function time(date: Date): Buffer {
  return tagged(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`))
}

function objectId(...bytes: readonly number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes))
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes)
}

function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.of(0), bytes]))
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

/** DER: a tag, a length in as few bytes as it takes, and the content. */
function tagged(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  const head =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), content])
}
