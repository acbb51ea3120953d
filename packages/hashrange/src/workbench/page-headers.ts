import type { HttpResponse } from '@hashrange/server'

/** What every answer of the workbench carries: nothing of it is embedded, guessed at, or told to others. */
export const safetyHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

/** Scripts come from here alone; so do styles, but for those that the editor makes under the nonce. */
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
    // No text becomes markup, whatever a component does with it: what would make it so throws.
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
