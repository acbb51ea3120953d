import type { Engine } from '@hashrange/engine'
import { chooseCoding, compress } from './compression.ts'
import type { HttpRequest, HttpResponse } from './http/http-request.ts'
import { metricFamilies } from './metrics/metric-families.ts'
import { renderFamilies, type ExpositionFormat } from './metrics/render-families.ts'
import type { MetricFamily } from './metrics/metric-family.ts'
import type { Route } from './route.ts'

/** Counts something that the page shows, such as a watchdog. */
export interface MetricSource {
  metricFamilies(): Iterable<MetricFamily>
}

/** `GET /metrics`: what was counted since this process started, for Prometheus and compatible readers. Only programs
 *  can read it: without an `Access-Control-Allow-Origin`, no page of another origin can. */
export function metricsRoute(engine: Engine, ...others: readonly MetricSource[]): Route {
  return async (request) => {
    if (!isMetricsRequest(request)) return undefined
    const format = chooseFormat(request.accept)
    const page = Buffer.from(renderFamilies(familiesOf(engine, others), format), 'utf8')
    const headers = {
      'Content-Type': contentTypes[format],
      'Cache-Control': 'no-store',
      'Cross-Origin-Resource-Policy': 'same-origin',
    }
    const coding = chooseCoding(request.acceptEncoding, page.length)
    if (coding === undefined) return answer(request, headers, page)
    return answer(request, { ...headers, 'Content-Encoding': coding }, await compress(coding, page))
  }
}

function* familiesOf(engine: Engine, others: readonly MetricSource[]): Iterable<MetricFamily> {
  yield* metricFamilies(engine)
  for (const other of others) yield* other.metricFamilies()
}

const contentTypes: Readonly<Record<ExpositionFormat, string>> = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
}

function isMetricsRequest({ method, target }: HttpRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (target === '/metrics' || target.startsWith('/metrics?'))
}

/** OpenMetrics for clients that prefer it to plain text. */
function chooseFormat(accept: string | undefined): ExpositionFormat {
  let best: { readonly format: ExpositionFormat; readonly quality: number } = { format: 'prometheus', quality: 0 }
  for (const entry of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const format = formats.get(type)
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    if (format !== undefined && quality > best.quality) best = { format, quality }
  }
  return best.format
}

const formats = new Map<string, ExpositionFormat>([
  ['application/openmetrics-text', 'openmetrics'],
  ['text/plain', 'prometheus'],
  ['text/*', 'prometheus'],
  ['*/*', 'prometheus'],
])

function answer(request: HttpRequest, headers: Record<string, string>, body: Buffer): HttpResponse {
  return { status: 200, headers, body: request.method === 'HEAD' ? Buffer.alloc(0) : body }
}
