import type { HttpRequest } from '@hashrange/server'

/** Cookies do not know ports: servers on the same host have one each, and do not sign each other's users out. */
function nameOf({ host = '' }: HttpRequest): string {
  return `hashrange-session-${/:(\d{1,5})$/.exec(host)?.[1] ?? 'default'}`
}

/** The session half that the browser sends by itself; nothing if there is none, or several. */
export function readSessionCookie(request: HttpRequest): string | undefined {
  const name = nameOf(request)
  const found = (request.fields ?? [])
    .filter((line) => /^cookie:/i.test(line))
    .flatMap((line) => line.slice(line.indexOf(':') + 1).split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return found.length === 1 ? found[0] : undefined
}

/** Only requests of this very site carry it, only to the API of the page, and no script can read it. */
export function sessionCookie(request: HttpRequest, value: string, maxAgeSeconds: number): string {
  const isSecure = request.tls !== undefined || request.origin?.startsWith('https://') === true
  return [
    `${nameOf(request)}=${value}`,
    'Path=/_workbench/api',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}`,
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')
}
