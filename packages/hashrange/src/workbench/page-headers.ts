import type { HttpResponse } from '@hashrange/server'

/** The headers of every response of the workbench: nothing may be embedded, sniffed, or sent to others. */
export const safetyHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

/** Scripts only come from here; so do styles, except for those that the editor adds under the nonce. */
export function pagePolicy(styleNonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // No text becomes markup, whatever a component does with it: anything that would do so throws.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

export function plainResponse(
  status: number,
  sentence: string,
  headers: Record<string, string> = {},
): HttpResponse {
  return {
    status,
    headers: {
      ...safetyHeaders,
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
      ...headers,
    },
    body: Buffer.from(sentence === '' ? '' : `${sentence}\n`),
  }
}
