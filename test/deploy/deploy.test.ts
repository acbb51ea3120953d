import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { fieldFaults } from './field-faults.ts'
import { faultsOf, type Manifest } from './pod-faults.ts'
import { renderChart } from './render-chart.ts'

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url))
const text = (...path: readonly string[]): string => readFileSync(join(deploy, ...path), 'utf8')
const documents = (yaml: string): readonly Manifest[] =>
  parseAllDocuments(yaml)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest): manifest is Manifest => manifest !== null)

describe('the Kubernetes manifests', () => {
  const files = readdirSync(join(deploy, 'kubernetes')).filter((name) => name.endsWith('.yaml'))
  const manifests = files.flatMap((name) => documents(text('kubernetes', name)))

  test('are sound, and say the same of each other', () => {
    expect(faultsOf(manifests)).toEqual([])
    expect(fieldFaults(manifests)).toEqual([])
  })

  test('set nothing that the command does not know', () => {
    const help = readFileSync(join(deploy, '..', 'packages', 'hashrange', 'src', 'help-text.ts'), 'utf8')
    const names = files.flatMap((name) => text('kubernetes', name).match(/HASHRANGE_[A-Z_]+/g) ?? [])
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => !help.includes(name))).toEqual([])
  })

  test('with a fault are found out', () => {
    const broken = structuredClone(manifests).map((manifest) =>
      manifest.kind === 'Service'
        ? { ...manifest, spec: { ...manifest.spec, selector: { app: 'other' } } }
        : manifest,
    ) as readonly Manifest[]
    expect(faultsOf(broken)).toEqual(['the service does not select the pods'])
    expect(faultsOf(manifests.filter(({ kind }) => kind !== 'NetworkPolicy'))).toContain(
      'there is no NetworkPolicy',
    )
    const misspelt = { kind: 'Service', apiVersion: 'v1', metadata: { name: 'a' }, spec: { port: 1, type: 2 } }
    expect(fieldFaults([misspelt])).toEqual(['Service a.spec.port is not known', 'Service a.spec.type is 2'])
  })
})

describe('the Helm chart', () => {
  const chart = join('helm', 'hashrange')
  const templates = readdirSync(join(deploy, chart, 'templates'))
  const values = parse(text(chart, 'values.yaml')) as Readonly<Record<string, unknown>>

  test('uses no value that it does not declare', () => {
    const used = templates.flatMap((name) => text(chart, 'templates', name).match(/(?<=\.Values\.)[\w.]+/g) ?? [])
    expect(used.length).toBeGreaterThan(10)
    const missing = used.filter((path) => {
      let value: unknown = values
      for (const part of path.split('.')) value = (value as Readonly<Record<string, unknown>> | undefined)?.[part]
      return value === undefined
    })
    expect(missing).toEqual([])
  })

  test('describes each of its values in its schema', () => {
    const schema = JSON.parse(text(chart, 'values.schema.json')) as {
      properties: Readonly<Record<string, unknown>>
    }
    expect(Object.keys(values).filter((name) => !(name in schema.properties))).toEqual([])
  })

  test('opens and closes what is conditional', () => {
    for (const name of templates) {
      const actions = text(chart, 'templates', name).match(/\{\{-?\s*(?:if|with|range|define|end)\b/g) ?? []
      const ends = actions.filter((action) => action.endsWith('end')).length
      expect(actions.length - ends, name).toBe(ends)
    }
  })
})

interface Service {
  readonly image?: string
  readonly build?: string
  readonly environment: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
}

describe('the compose file', () => {
  const root = join(deploy, '..')
  const compose = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>
    readonly volumes: Readonly<Record<string, unknown>>
  }
  const services = Object.values(compose.services)
  const servers = services.filter(({ build }) => build !== undefined)

  test('names nothing that it does not declare', () => {
    const named = services.flatMap(({ depends_on: others = {} }) => Object.keys(others))
    expect(named.filter((name) => !(name in compose.services))).toEqual([])
    const volumes = services.flatMap(({ volumes: own = [] }) => own.map((volume) => volume.split(':', 1)[0] ?? ''))
    expect(volumes.filter((name) => !(name in compose.volumes))).toEqual([])
    for (const { build = '.' } of servers) expect(existsSync(join(root, build, 'Dockerfile'))).toBe(true)
  })

  test('starts closed servers on its own database, each at a port of this machine alone', () => {
    const help = readFileSync(join(root, 'packages', 'hashrange', 'src', 'help-text.ts'), 'utf8')
    expect(servers).toHaveLength(3)
    for (const { environment } of servers) {
      expect(Object.keys(environment).filter((name) => !help.includes(name))).toEqual([])
      expect(new URL(environment['HASHRANGE_STORE'] ?? '').hostname in compose.services).toBe(true)
      expect(environment['HASHRANGE_AUTH']).toBe('1')
    }
    const ports = servers.flatMap(({ ports: own = [] }) => own)
    expect(ports.filter((port) => !/^127\.0\.0\.1:\d+:8000$/.test(port))).toEqual([])
    expect(new Set(ports).size).toBe(3)
  })
})

describe('the Helm chart, rendered', () => {
  const chart = join(deploy, 'helm', 'hashrange')
  const auth = { secretKey: 'k', rootAccessKeyId: 'AKIA', rootSecretAccessKey: 's' }
  const values = { store: { url: 'postgres://u:p@h/d' }, schemaJob: { role: 'app' }, auth }

  test.each([
    ['with its defaults', values],
    ['with all that can be set', { ...values, env: { HASHRANGE_ALLOWED_HOSTS: 'a' }, tolerations: [{ key: 'a' }] }],
    ['for whoever is let in', { ...values, insecure: true }],
  ])('makes sound manifests %s', (_, given) => {
    const manifests = documents(renderChart(chart, 'shop', given))
    expect(faultsOf(manifests)).toEqual([])
    expect(fieldFaults(manifests)).toEqual([])
  })

  test('says what is missing', () => {
    expect(() => renderChart(chart, 'shop', {})).toThrow('store.url or store.existingSecret is needed')
    expect(() => renderChart(chart, 'shop', { store: values.store })).toThrow('auth.secretKey')
  })

  // Where Helm is installed, it is asked too.
  if (spawnSync('helm', ['version']).status === 0) {
    test('is what Helm makes of it', () => {
      const set = [
        'store.url=postgres://u:p@h/d',
        'schemaJob.role=app',
        ...Object.entries(auth).map(([name, value]) => `auth.${name}=${value}`),
      ]
      const flags = set.flatMap((value) => ['--set', value])
      const { stdout } = spawnSync('helm', ['template', 'shop', chart, '--kube-version', '1.31.0', ...flags], {
        encoding: 'utf8',
      })
      const byName = (a: Manifest, b: Manifest): number =>
        a.kind + a.metadata.name < b.kind + b.metadata.name ? -1 : 1
      const ours = documents(renderChart(chart, 'shop', values))
      expect([...documents(stdout)].toSorted(byName)).toEqual([...ours].toSorted(byName))
    })
  }
})
