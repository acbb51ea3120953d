export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> }
  readonly spec?: object
  readonly stringData?: Readonly<Record<string, string>>
}

/** The API versions in which the kinds that we use are served, by every Kubernetes since 1.25. */
const served: Readonly<Record<string, string>> = {
  Secret: 'v1',
  Service: 'v1',
  Job: 'batch/v1',
  Deployment: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
}

/** What is wrong with manifests that belong together: each by itself, and in what they say of each other. */
export function faultsOf(manifests: readonly Manifest[]): readonly string[] {
  const specOf = (wanted: string): unknown => manifests.find(({ kind }) => kind === wanted)?.spec
  return [
    ...Object.keys(served)
      .filter((kind) => specOf(kind) === undefined && manifests.every((one) => one.kind !== kind))
      .map((kind) => `there is no ${kind}`),
    ...manifests.flatMap(headFaults),
    ...manifests
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .flatMap((manifest) => podFaults(manifest, manifests)),
    ...serverFaults(specOf),
  ]
}

function headFaults({ kind, apiVersion, metadata }: Manifest): readonly string[] {
  return faultsWhere([
    [apiVersion === served[kind], `${kind} ${metadata.name} has apiVersion ${apiVersion}`],
    [metadata.labels?.['app.kubernetes.io/name'] === 'hashrange', `${kind} ${metadata.name} has no name label`],
  ])
}

function podFaults({ kind, spec }: Manifest, manifests: readonly Manifest[]): readonly string[] {
  const pod = at(spec, 'template', 'spec')
  const container = at(pod, 'containers', 0)
  const dropped = at(container, 'securityContext', 'capabilities', 'drop')
  return faultsWhere([
    [at(pod, 'automountServiceAccountToken') === false, `${kind}: gets a token of the cluster`],
    [at(pod, 'securityContext', 'runAsNonRoot') === true, `${kind}: may run as root`],
    [at(pod, 'securityContext', 'seccompProfile', 'type') === 'RuntimeDefault', `${kind}: has no seccomp profile`],
    [at(container, 'securityContext', 'allowPrivilegeEscalation') === false, `${kind}: may gain privileges`],
    [at(container, 'securityContext', 'readOnlyRootFilesystem') === true, `${kind}: can write to its image`],
    [Array.isArray(dropped) && dropped.includes('ALL'), `${kind}: keeps capabilities`],
    [at(container, 'resources', 'requests', 'cpu') !== undefined, `${kind}: requests no processor`],
    [at(container, 'resources', 'limits', 'memory') !== undefined, `${kind}: has no limit of memory`],
    ...listOf(at(container, 'env')).flatMap((variable): readonly Check[] => {
      const reference = at(variable, 'valueFrom', 'secretKeyRef')
      if (reference === undefined) return []
      const key = String(at(reference, 'key'))
      const secret = manifests.find((one) => one.kind === 'Secret' && one.metadata.name === at(reference, 'name'))
      return [[secret?.stringData?.[key] !== undefined, `${kind}: the secret has no ${key}`]]
    }),
  ])
}

function serverFaults(specOf: (kind: string) => unknown): readonly string[] {
  const server = specOf('Deployment')
  const container = at(server, 'template', 'spec', 'containers', 0)
  const labels = at(server, 'template', 'metadata', 'labels')
  const selects = (selector: unknown): boolean =>
    typeof selector === 'object' &&
    selector !== null &&
    Object.entries(selector).every(([name, value]) => at(labels, name) === value)
  const port = at(specOf('Service'), 'ports', 0, 'targetPort')
  return faultsWhere([
    [at(container, 'livenessProbe', 'httpGet', 'path') === '/health', 'liveness is not /health'],
    [at(container, 'readinessProbe', 'httpGet', 'path') === '/ready', 'readiness is not /ready'],
    [Number(at(server, 'replicas')) > 1, 'there is one server only'],
    [selects(at(server, 'selector', 'matchLabels')), 'the deployment does not select its pods'],
    [selects(at(specOf('Service'), 'selector')), 'the service does not select the pods'],
    [selects(at(specOf('PodDisruptionBudget'), 'selector', 'matchLabels')), 'the budget does not select the pods'],
    [selects(at(specOf('NetworkPolicy'), 'podSelector', 'matchLabels')), 'the policy does not select the pods'],
    [listOf(at(container, 'ports')).some((one) => at(one, 'name') === port), 'the service leads to no port'],
  ])
}

type Check = readonly [holds: boolean, fault: string]

function faultsWhere(checks: readonly Check[]): readonly string[] {
  return checks.flatMap(([holds, fault]) => (holds ? [] : [fault]))
}

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value
  for (const part of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Readonly<Record<string | number, unknown>>)[part]
  }
  return found
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
