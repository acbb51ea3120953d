import type { HttpResponse } from '@hashrange/server'

/** Responses to programs on behalf of commands: nothing that a page could read, or a browser keep. */
export const safetyHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

export function json(status: number, body: unknown): HttpResponse {
  return {
    status,
    headers: { ...safetyHeaders, 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  }
}

export function refusal(status: number, sentence: string, headers: Record<string, string> = {}): HttpResponse {
  return {
    status,
    headers: { ...safetyHeaders, 'Content-Type': 'text/plain; charset=utf-8', ...headers },
    body: Buffer.from(`${sentence}\n`),
  }
}
