/** Why a command cannot communicate with a server, if it is about TLS, and what to do next. The cause of an error is
 *  checked too. */
export function explainTls(error: unknown, server: string): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
    if (unknownIssuer.has(code)) {
      return `The certificate of ${server} was issued by an authority that this machine does not know (${code}). If you trust the issuer, name its certificate: --ca FILE`
    }
    if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${server} has expired.`
    if (code === 'CERT_NOT_YET_VALID') return `The certificate of ${server} is not valid yet. Check the clocks.`
    if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
      return `The certificate of ${server} is for another name. Use a name that it contains. (${cause.message})`
    }
    if (
      code === 'ERR_SSL_WRONG_VERSION_NUMBER' ||
      (code === 'EPROTO' && /wrong version number/.test(cause.message))
    ) {
      return `The server at ${server} does not speak TLS. Use http:// in the address.`
    }
  }
  return undefined
}

const unknownIssuer: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
])
