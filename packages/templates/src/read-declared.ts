import type { Declared } from './declared.ts'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readCloudFormation } from './cloudformation/read-cloudformation.ts'
import { parseText } from './parse-text.ts'
import { readText } from './read-text.ts'
import { readServerless } from './serverless/read-serverless.ts'
import { partsOf } from './resources/scaling.ts'
import { isTerraform, readTerraform } from './terraform/read-terraform.ts'
import { isObject, objectOf, TemplateError, type ReadOptions, plainText } from './table-design.ts'

/** What a file declares, or the folder that `cdk synth` writes. What kind of file it is shows in it. */
export function readDeclared(path: string, options: ReadOptions): Declared {
  if (!existsSync(path)) throw new TemplateError(`There is no file or folder ${path}.`)
  const declared = statSync(path).isDirectory() ? readAssembly(path, options) : readOne(path, options)
  const scaled = declared.resources
    .filter(({ type }) => type === 'AWS::ApplicationAutoScaling::ScalableTarget')
    .map(({ properties }) => properties)
  const tables = declared.tables.map((table) => ({
    ...table,
    scaled: new Set([...(table.scaled ?? []), ...partsOf(scaled, table.name)]),
  }))
  return { ...declared, tables }
}

/** Everything that several files declare. */
export function joined(parts: readonly Declared[]): Declared {
  return {
    tables: parts.flatMap(({ tables }) => tables),
    resources: parts.flatMap(({ resources }) => resources),
    functions: parts.flatMap(({ functions }) => functions),
    skipped: parts.flatMap(({ skipped }) => skipped),
    problems: parts.flatMap(({ problems }) => problems),
  }
}

function readOne(file: string, options: ReadOptions): Declared {
  const document = parseText(readText(file), file)
  if (!isObject(document)) throw new TemplateError(`${file} is not a template: it holds no map.`)
  if (isObject(document['Resources'])) return readCloudFormation(document, file, options)
  if (isTerraform(document)) return readTerraform(document, file, options.region)
  if ('service' in document && 'provider' in document) return readServerless(document, file, options)
  throw new TemplateError(
    `${file} is not a CloudFormation or SAM template, a serverless.yml, or a plan or state of Terraform as JSON (terraform show -json).`,
  )
}

/** CDK writes a template without resources for a stack that has none, such as the one of integration tests. */
function readStack(file: string, options: ReadOptions): Declared {
  const document = parseText(readText(file), file)
  return isObject(document) && !('Resources' in document) ? joined([]) : readOne(file, options)
}

/** What `cdk synth` writes: its manifest names the stacks' templates, and further folders like it for stages. */
function readAssembly(folder: string, options: ReadOptions, depth = 0): Declared {
  if (depth > 20) throw new TemplateError(`The manifest.json of ${folder} leads back to its own folder.`)
  const manifest = join(folder, 'manifest.json')
  if (!existsSync(manifest)) {
    const nested = join(folder, 'cdk.out')
    if (existsSync(join(nested, 'manifest.json'))) return readAssembly(nested, options, depth + 1)
    const known = readdirSync(folder).find((name) => /^(template|serverless)\.(ya?ml|json)$/.test(name))
    if (known !== undefined) return readOne(join(folder, known), options)
    throw new TemplateError(`${folder} has no manifest.json of cdk synth, template.yaml or serverless.yml.`)
  }
  const { artifacts } = objectOf(parseText(readText(manifest), manifest))
  const parts = Object.entries(objectOf(artifacts)).flatMap(([id, artifact]): Declared[] => {
    const { type, properties, environment } = objectOf(artifact)
    const { templateFile, directoryName, stackName } = objectOf(properties)
    if (type === 'cdk:cloud-assembly' && typeof directoryName === 'string')
      return [readAssembly(join(folder, directoryName), options, depth + 1)]
    if (type !== 'aws:cloudformation:stack' || typeof templateFile !== 'string') return []
    const [, , region] = /^aws:\/\/([^/]*)\/(.*)$/.exec(plainText(environment)) ?? []
    const isKnown = region !== undefined && !region.startsWith('unknown')
    const stack = options.stack ?? (typeof stackName === 'string' ? stackName : id)
    const file = join(folder, templateFile)
    if (!existsSync(file)) {
      throw new TemplateError(
        `${manifest} names the template ${templateFile}, which is missing. Run cdk synth again.`,
      )
    }
    return [readStack(file, { ...options, stack, ...(isKnown && { region }) })]
  })
  if (parts.length === 0) throw new TemplateError(`${manifest} names no stack.`)
  return joined(parts)
}
