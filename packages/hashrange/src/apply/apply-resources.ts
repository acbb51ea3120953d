import {
  carryOutPlan,
  codeOf,
  kindOf,
  packageOf,
  plainText,
  type Declared,
  type FunctionDesign,
  type ResourceDesign,
  type ResourcePlan,
  type ResourcePort,
} from '@hashrange/templates'
import { outcomeOf } from './apply-tables.ts'

interface ResourceChoice {
  readonly region: string
  readonly accountId: string
  /** Only compares. */
  readonly isDiff?: boolean | undefined
  /** Of the names before what is told. */
  readonly width?: number | undefined
  readonly tell: (line: string) => void
}

/** Makes what is not a table as it is declared, in this order. */
export async function applyResources(
  port: ResourcePort,
  resources: readonly ResourceDesign[],
  { region, isDiff = false, width = labelWidth(resources), tell }: ResourceChoice,
): Promise<void> {
  const created = new Set<string>()
  for (const resource of resources) {
    const { type, properties } = resource
    const kind = kindOf(type, properties, region)
    if (kind === undefined) continue
    const id = type === targetType ? (kind.nameOf(properties) ?? resource.name) : resource.name
    const label = `  ${labelOf(resource).padEnd(width)}  `
    let plan: ResourcePlan
    try {
      const isCalled = type === mappingType && created.has(resource.name)
      // What would be called is not there yet.
      plan = isDiff && isCalled ? { kind: 'create', steps: [] } : await kind.plan(port, id, properties)
      if (plan.kind === 'create' && type !== mappingType) created.add(resource.name)
      if (!isDiff) await carryOutPlan(kind, port, id, plan)
    } catch (error) {
      const reason = whySkipped(error)
      if (reason === undefined) throw new Error(`${resource.origin}: ${messageOf(error)}`, { cause: error })
      plan = { kind: 'skipped', steps: [], reason }
    }
    tell(label + outcomeOf(plan, isDiff))
  }
}

const mappingType = 'AWS::Lambda::EventSourceMapping'
const targetType = 'AWS::ApplicationAutoScaling::ScalableTarget'

export function labelWidth(resources: readonly Pick<ResourceDesign, 'name' | 'type' | 'properties'>[]): number {
  return Math.min(60, Math.max(0, ...resources.map((one) => labelOf(one).length)))
}

/** Tables may send their changes to streams, so those are made first. */
export function beforeTables({ resources }: Declared): readonly ResourceDesign[] {
  return resources.filter(({ type }) => type === 'AWS::Kinesis::Stream')
}

/** In the order in which they need each other. */
export function afterTables(
  { resources, functions }: Pick<Declared, 'resources' | 'functions'>,
  place: { readonly region: string; readonly accountId: string },
): readonly ResourceDesign[] {
  const ofType = (type: string): readonly ResourceDesign[] => resources.filter((one) => one.type === type)
  return [
    ...ofType(targetType),
    ...ofType('AWS::ApplicationAutoScaling::ScalingPolicy'),
    ...ofType('AWS::CloudWatch::Alarm'),
    ...functions.flatMap((design) => functionResources(design, place)),
    ...ofType(mappingType),
  ]
}

/** A function with its code, and what it is called for. */
function functionResources(
  design: FunctionDesign,
  { region, accountId }: { readonly region: string; readonly accountId: string },
): readonly ResourceDesign[] {
  const { name, origin, packageType, handler, runtime, timeoutSeconds, memoryMb, environment, triggers } = design
  const code = packageOf(design)
  const properties = {
    PackageType: packageType,
    Handler: handler,
    Runtime: runtime,
    Timeout: timeoutSeconds ?? 3,
    MemorySize: memoryMb ?? 128,
    Environment: { Variables: environment },
    Code: typeof code === 'string' ? { Missing: code } : { Package: code.toString('base64') },
  }
  const place = `${region}:${accountId}`
  const mappings = triggers.map(({ source, startingPosition, settings }) => ({
    name,
    origin,
    type: mappingType,
    properties: {
      ...settings,
      FunctionName: name,
      StartingPosition: startingPosition,
      EventSourceArn:
        'tableName' in source
          ? `arn:aws:dynamodb:${place}:table/${source.tableName}/stream/latest`
          : `arn:aws:kinesis:${place}:stream/${source.streamName}`,
    },
  }))
  return [{ name, origin, type: 'AWS::Lambda::Function', properties }, ...mappings]
}

/** `alarm orders-throttled` */
function labelOf({ name, type, properties }: Pick<ResourceDesign, 'name' | 'type' | 'properties'>): string {
  switch (type) {
    case targetType:
      return `scaling of ${plainText(properties['ResourceId'])} (${plainText(properties['ScalableDimension']).split(':').at(-1)})`
    case 'AWS::ApplicationAutoScaling::ScalingPolicy':
      return `scaling policy ${plainText(properties['PolicyName'] ?? name)}`
    case 'AWS::CloudWatch::Alarm':
      return `alarm ${name}`
    case 'AWS::Kinesis::Stream':
      return `Kinesis stream ${name}`
    case 'AWS::Lambda::Function':
      return `function ${name}`
    default:
      return `event source of ${name}`
  }
}

/** DynamoDB Local has tables alone, and a server that others can reach takes no code. */
function whySkipped(error: unknown): string | undefined {
  const code = codeOf(error)
  if (code === 'UnknownOperationException') return 'the server does not support it'
  return code === 'AccessDeniedException' && /does not run uploaded code/.test(messageOf(error))
    ? messageOf(error)
    : undefined
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
