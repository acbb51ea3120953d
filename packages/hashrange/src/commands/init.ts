import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { packageFolder } from '../package-folder.ts'
import { packageVersion } from '../package-version.ts'
import { Mistake } from '../mistake.ts'
import { readWords } from './read-flags.ts'
import { isTemplate, templateFolder, templates, type TemplateName } from './templates.ts'

const help = `hashrange init: creates a model, with a test that runs it

  hashrange init              asks which template to use
  hashrange init shop         uses the template "shop"
  hashrange init saas --dir services/accounts

${Object.entries(templates)
  .map(([name, about]) => `  ${name.padEnd(12)} ${about}`)
  .join('\n')}

  --dir FOLDER    where to write; the current folder by default
  --force         overwrite the model, its test and the README if they exist

An existing package.json, tsconfig.json or .gitignore is left as it is.`

const flags = {
  dir: { type: 'string' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

interface Choice {
  readonly template: TemplateName
  readonly folder: string
}

export async function init(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords('init', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const [template, ...others] = positionals
  if (others.length > 0)
    throw new Mistake(`"hashrange init" does not take "${others[0]}". See: hashrange init --help`)
  const choice =
    template === undefined ? await ask(values.dir) : { template: templateOf(template), folder: values.dir ?? '.' }
  await writeProject(choice, values.force === true)
  return 0
}

function templateOf(word: string): TemplateName {
  if (isTemplate(word)) return word
  throw new Mistake(`There is no template "${word}". The templates are ${Object.keys(templates).join(', ')}.`)
}

async function ask(dir: string | undefined): Promise<Choice> {
  const names = Object.keys(templates).filter(isTemplate)
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new Mistake(`Name a template: hashrange init ${names.join('|')}`)
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    console.log('Which template is most like your model?\n')
    names.forEach((name, i) => console.log(`  ${i + 1}  ${name.padEnd(12)} ${templates[name]}`))
    const answer = (await lines.question('\nNumber or name [1]: ')).trim() || '1'
    const template = names[Number(answer) - 1] ?? templateOf(answer)
    const folder = dir ?? ((await lines.question('Folder [.]: ')).trim() || '.')
    return { template, folder }
  } finally {
    lines.close()
  }
}

async function writeProject({ template, folder }: Choice, isForced: boolean): Promise<void> {
  const [modelFile, testFile] = [`${template}.model.ts`, `${template}.test.ts`]
  const taken: string[] = []
  for (const name of [modelFile, testFile]) if (await exists(join(folder, name))) taken.push(name)
  if (taken.length > 0 && !isForced) {
    const what = taken.length === 1 ? 'exists' : 'exist'
    throw new Mistake(
      `${taken.join(' and ')} already ${what} in ${resolve(folder)}. Use --force to overwrite, or choose another folder with --dir.`,
    )
  }
  await mkdir(folder, { recursive: true })
  const from = templateFolder(template)
  for (const name of [modelFile, testFile]) await writeFile(join(folder, name), await readFile(join(from, name)))
  const written = [modelFile, testFile]
  const hadPackage = await exists(join(folder, 'package.json'))
  const projectName =
    basename(resolve(folder))
      .toLowerCase()
      .replaceAll(/[^a-z0-9._-]/g, '-') || template
  const others: readonly (readonly [name: string, text: string, mayOverwrite: boolean])[] = [
    ['package.json', packageJson(projectName, modelFile), false],
    ['tsconfig.json', tsconfig, false],
    ['.gitignore', 'node_modules/\n.hashrange/\n', false],
    ['README.md', readme(projectName, template), isForced],
  ]
  for (const [name, text, mayOverwrite] of others) {
    if (!mayOverwrite && (await exists(join(folder, name)))) continue
    await writeFile(join(folder, name), text)
    written.push(name)
  }
  console.log(nextSteps(folder, modelFile, written, hadPackage))
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}

function dependencies(): {
  readonly run: Readonly<Record<string, string>>
  readonly develop: Readonly<Record<string, string>>
} {
  return {
    run: { '@aws-sdk/client-dynamodb': '^3.0.0', '@hashrange/model': ownPackage('model') },
    develop: {
      '@types/node': '>=20',
      hashrange: ownPackage('hashrange'),
      jiti: '^2.0.0',
      typescript: '>=5.9',
      vitest: '^4.0.0',
    },
  }
}

/** In a clone, the packages are linked: the current version need not be on npm. */
function ownPackage(name: 'hashrange' | 'model'): string {
  const folder = packageFolder()
  if (folder.split(sep).includes('node_modules')) return `^${packageVersion()}`
  return `file:${join(folder, '..', name).replaceAll('\\', '/')}`
}

/** As `npm install` takes it. */
function wordOf([name, version]: readonly [name: string, version: string]): string {
  return version.startsWith('file:') ? version.slice('file:'.length) : name
}

function packageJson(name: string, modelFile: string): string {
  const { run, develop } = dependencies()
  const content = {
    name,
    private: true,
    type: 'module',
    scripts: { check: `hashrange check ${modelFile}`, test: 'vitest run', start: 'hashrange start' },
    dependencies: run,
    devDependencies: develop,
  }
  return `${JSON.stringify(content, undefined, 2)}\n`
}

const tsconfig = `{
  "compilerOptions": {
    "target": "ES2022",
    "lib": ["ES2023"],
    "module": "NodeNext",
    "moduleResolution": "NodeNext",
    "types": ["node"],
    "strict": true,
    "noEmit": true,
    "skipLibCheck": true,
    "allowImportingTsExtensions": true
  }
}
`

function readme(name: string, template: TemplateName): string {
  return `# ${name}

\`${template}.model.ts\` is the model: its entities, their keys, and every access pattern. Types, tests, costs,
infrastructure and documentation are all derived from it.

    npm install
    npm run check                                          # runs every access pattern, and reviews the design
    npm test
    npm start                                              # a database on http://127.0.0.1:8000

    npx hashrange cost ${template}.model.ts
    npx hashrange generate ${template}.model.ts --to cloudformation  # or cdk, terraform, markdown, nosql-workbench

In your program, on AWS or on hashrange:

\`\`\`ts
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { connect } from '@hashrange/model'
import { ${template} } from './${template}.model.ts'

const db = connect(${template}, new DynamoDBClient({}))
\`\`\`
`
}

function nextSteps(folder: string, modelFile: string, written: readonly string[], hadPackage: boolean): string {
  const shorter = relative('.', folder)
  const place = shorter.startsWith('..') ? resolve(folder) : shorter
  const { run, develop } = dependencies()
  const install = hadPackage
    ? [
        `npm install ${Object.entries(run).map(wordOf).join(' ')}`,
        `npm install --save-dev ${Object.entries(develop).map(wordOf).join(' ')}`,
      ]
    : ['npm install']
  const steps = [
    ...(place === '' ? [] : [`cd ${place}`]),
    ...install,
    `npx hashrange check ${modelFile}`,
    'npx vitest run',
  ]
  return `Wrote ${written.join(', ')}${place === '' ? '' : ` into ${place}`}.

Next:

${steps.map((step) => `  ${step}`).join('\n')}

Then edit ${modelFile}. Start with the list of access patterns: it is the design.`
}
