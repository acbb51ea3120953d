import type { Manifest } from './pod-faults.ts'

/** The part of Kubernetes' schemas that our manifests use: the fields of each object, and the type of each value. A field that Kubernetes
 *  does not know is dropped without a word, or refused. */
type Schema =
  | 'string'
  | 'integer'
  | 'boolean'
  | 'any'
  | 'map'
  | 'port'
  | readonly [Schema]
  | { readonly [field: string]: Schema }

const selector = { matchLabels: 'map' } as const
const probe = {
  httpGet: { path: 'string', port: 'port' },
  periodSeconds: 'integer',
  timeoutSeconds: 'integer',
  failureThreshold: 'integer',
} as const
const container = {
  name: 'string',
  image: 'string',
  imagePullPolicy: 'string',
  args: ['string'],
  ports: [{ name: 'string', containerPort: 'integer' }],
  env: [{ name: 'string', value: 'string', valueFrom: { secretKeyRef: { name: 'string', key: 'string' } } }],
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: { preStop: { exec: { command: ['string'] } } },
  resources: { requests: 'map', limits: 'map' },
  securityContext: {
    allowPrivilegeEscalation: 'boolean',
    readOnlyRootFilesystem: 'boolean',
    capabilities: { drop: ['string'] },
  },
  volumeMounts: [{ name: 'string', mountPath: 'string' }],
} as const satisfies Schema
const pod = {
  automountServiceAccountToken: 'boolean',
  terminationGracePeriodSeconds: 'integer',
  restartPolicy: 'string',
  topologySpreadConstraints: [
    { maxSkew: 'integer', topologyKey: 'string', whenUnsatisfiable: 'string', labelSelector: selector },
  ],
  securityContext: {
    runAsNonRoot: 'boolean',
    runAsUser: 'integer',
    runAsGroup: 'integer',
    seccompProfile: { type: 'string' },
  },
  imagePullSecrets: [{ name: 'string' }],
  containers: [container],
  volumes: [{ name: 'string', emptyDir: { sizeLimit: 'string' } }],
  nodeSelector: 'map',
  tolerations: 'any',
  affinity: 'any',
} as const satisfies Schema
const template = { metadata: { labels: 'map', annotations: 'map' }, spec: pod } as const satisfies Schema
const peer = { podSelector: selector, namespaceSelector: selector } as const
const ports = [{ protocol: 'string', port: 'port' }] as const

const specs: Readonly<Record<string, Schema>> = {
  Service: {
    type: 'string',
    selector: 'map',
    ports: [{ name: 'string', port: 'integer', targetPort: 'port' }],
  },
  Job: { backoffLimit: 'integer', ttlSecondsAfterFinished: 'integer', template },
  Deployment: {
    replicas: 'integer',
    selector,
    strategy: { type: 'string', rollingUpdate: { maxSurge: 'port', maxUnavailable: 'port' } },
    minReadySeconds: 'integer',
    template,
  },
  PodDisruptionBudget: { maxUnavailable: 'port', selector },
  NetworkPolicy: {
    podSelector: selector,
    policyTypes: ['string'],
    ingress: [{ from: [peer], ports }],
    egress: [{ to: [peer], ports }],
  },
}

/** Fields that the API does not have, or not with such a value. */
export function fieldFaults(manifests: readonly Manifest[]): readonly string[] {
  return manifests.flatMap((manifest) => {
    const schema = {
      apiVersion: 'string',
      kind: 'string',
      metadata: { name: 'string', labels: 'map', annotations: 'map' },
      ...(manifest.kind === 'Secret'
        ? { type: 'string', stringData: 'map' }
        : { spec: specs[manifest.kind] ?? {} }),
    } as const satisfies Schema
    return faultsAt(manifest, schema, `${manifest.kind} ${manifest.metadata.name}`)
  })
}

function faultsAt(value: unknown, schema: Schema, path: string): readonly string[] {
  if (typeof schema === 'string') return fits(value, schema) ? [] : [`${path} is ${JSON.stringify(value)}`]
  if (isList(schema)) {
    if (!Array.isArray(value)) return [`${path} is no list`]
    return value.flatMap((one, place) => faultsAt(one, schema[0], `${path}[${place}]`))
  }
  if (!isObject(value)) return [`${path} is no object`]
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = schema[name]
    return known === undefined ? [`${path}.${name} is not known`] : faultsAt(inner, known, `${path}.${name}`)
  })
}

function isList(schema: Schema): schema is readonly [Schema] {
  return Array.isArray(schema)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** YAML turns many a word into something that is no text: labels and settings must be quoted. */
function fits(value: unknown, type: Extract<Schema, string>): boolean {
  switch (type) {
    case 'any':
      return true
    case 'integer':
      return Number.isInteger(value)
    case 'port':
      return Number.isInteger(value) || typeof value === 'string'
    case 'map':
      return isObject(value) && Object.values(value).every((one) => typeof one === 'string')
    case 'string':
    case 'boolean':
      return typeof value === type
  }
}
