import { inputShapeOf, operationsByTarget } from '@hashrange/engine'
import type { Randomness } from '../../support/randomness.ts'
import { anyInput } from '../any-input.ts'
import type { FuzzRequest } from '../fuzz-request.ts'
import { anyValue, hostileTexts } from '../hostile-values.ts'
import { anyModelDocument, hostileNames } from '../models/any-model-document.ts'

/** What the workbench's page knows of its server. */
export interface WorkbenchPlace {
  readonly token: string
  /** A folder that the page may load model files from. */
  readonly modelFolder: string
  /** A file in it that holds a model, and what that is called. */
  readonly modelFile: string
  readonly modelName: string
}

/** Any request to the workbench's API: as its page sends them, with something in them that is not right, or anything at all. */
export function anyWorkbenchRequest(random: Randomness, place: WorkbenchPlace): FuzzRequest {
  if (random.chance(0.3)) return anythingAtAll(random, place)
  if (random.chance(0.07)) return anyModelRequest(random, place)
  if (random.chance(0.3)) {
    const [path, body] = random.oneOf(questions)(random)
    return post(place, `${path}?${anyScope(random)}`, body)
  }
  const operation = random.oneOf(operationsByTarget.DynamoDB_20120810)
  return post(place, `dynamodb/${operation}?${anyScope(random)}`, anyInput(inputShapeOf(operation), random))
}

/** One that is about models, which are loaded by processes of their own. */
export function anyModelRequest(random: Randomness, place: WorkbenchPlace): FuzzRequest {
  const action = random.oneOf(Object.keys(modelBodies) as (keyof typeof modelBodies)[])
  const body = Object.entries({ ...about(random, place), ...modelBodies[action](random, place) })
    .filter(() => random.chance(0.95))
    .map(([name, value]) => [name, random.chance(0.05) ? anyValue(random) : value])
  return { ...post(place, `models/${action}`, Object.fromEntries(body)), slowMs: processMs }
}

/** A process has to be started, on a machine that may be busy. */
export const processMs = 20_000

type AnyBody = (random: Randomness, place: WorkbenchPlace) => Readonly<Record<string, unknown>>

const modelBodies = {
  '': () => ({ known: 'x' }),
  candidates: () => ({}),
  formats: () => ({}),
  open: () => ({}),
  close: () => ({}),
  check: () => ({}),
  'set-up': () => ({}),
  cost: (random) => ({
    region: random.oneOf(['eu-west-1', ...hostileTexts]),
    date: random.oneOf(['2026-01-01', ...hostileTexts]),
    utilisation: random.oneOf<unknown>([0.5, 0, -1, 'x']),
  }),
  export: (random) => ({
    format: random.oneOf(['cloudformation', 'markdown', 'sample-data', '__proto__', 'toString']),
  }),
  explain: (random) => ({
    pattern: random.oneOf(['customer', 'recentOrders', 'constructor', ...hostileNames]),
    parameters: { customerId: anyValue(random), [random.oneOf(hostileNames)]: anyValue(random) },
    found: anyValue(random),
  }),
  import: (random) => ({ name: anyFileName(random), content: JSON.stringify(anyModelDocument(random)) }),
  save: (random, { modelFolder }) => ({
    file: `${modelFolder}/${anyFileName(random)}`,
    name: anyFileName(random),
    content: JSON.stringify(anyModelDocument(random)),
  }),
} satisfies Readonly<Record<string, AnyBody>>

function about(random: Randomness, { modelFile, modelName, modelFolder }: WorkbenchPlace): object {
  return {
    file: random.chance(0.8) ? modelFile : `${modelFolder}/${anyFileName(random)}`,
    model: random.chance(0.8) ? modelName : random.oneOf(hostileNames),
  }
}

function anyFileName(random: Randomness): string {
  return `${random.oneOf(['a', 'new', '../up', ...hostileNames])}${random.oneOf(['.model.ts', '.model.ts', '.json', ''])}`
}

const questions: readonly ((random: Randomness) => readonly [string, unknown])[] = [
  () => ['info', {}],
  () => ['tables', {}],
  () => ['heat', {}],
  () => ['entities', {}],
  (random) => [
    'heat/table',
    {
      table: random.oneOf(['things', ...hostileTexts]),
      range: random.oneOf(['5m', '1h', '30d', 'toString', '']),
    },
  ],
  (random) => ['scope-of-key', { accessKeyId: random.oneOf(hostileTexts), region: random.oneOf(['x', '%41', '']) }],
]

function anyScope(random: Randomness): string {
  if (random.chance(0.1)) return random.oneOf(['', 'a=%&__proto__=1', 'account=1', 'account=%ff&region=%00'])
  return `account=000000000000&region=${random.oneOf(['us-east-1', 'us-east-1', 'x', '__proto__'])}`
}

const places = [
  'info',
  'scope-of-key',
  'dynamodb',
  'heat',
  'tables',
  'constructor',
  '__proto__',
  '%2e%2e',
  '%',
  'x',
]

function anythingAtAll(random: Randomness, place: WorkbenchPlace): FuzzRequest {
  const path = Array.from({ length: random.between(1, 3) }, () => random.oneOf(places))
  const asked = post(place, `${path.join('/')}${random.chance(0.2) ? '?a=%&__proto__=1' : ''}`, anyValue(random))
  if (random.chance(0.7)) return asked
  return random.chance(0.5)
    ? { ...asked, method: 'GET', body: '' }
    : { ...asked, method: random.oneOf(['PUT', 'DELETE', 'OPTIONS', 'PATCH']) }
}

function post({ token }: WorkbenchPlace, path: string, body: unknown): FuzzRequest {
  return {
    method: 'POST',
    path: `/_workbench/api/${path}`,
    headers: { 'Content-Type': 'application/json', 'X-Hashrange-Workbench': token },
    body: JSON.stringify(body) ?? 'null',
  }
}
