/** A source file as the rules see it. */
export interface SourceFile {
  /** From the root of the workspace, with forward slashes. */
  readonly path: string
  readonly text: string
}

export interface PackageRule {
  /** The packages that its sources may import. Types count: what a package names it depends on. */
  readonly mayImport: readonly string[]
  /** What its tests may import besides, and its sources may not. */
  readonly testsMayImport?: readonly string[]
  /** Whether it may use what only Node.js has. */
  readonly mayUseNode: boolean
  /** Whether it may open sockets. */
  readonly mayUseNetwork: boolean
}

/** What the tests of every package may import besides. */
const testTools = ['vitest', 'fast-check']
const networkModules = ['node:http', 'node:https', 'node:http2', 'node:net', 'node:tls', 'node:dgram']
const storeFolder = 'packages/engine/src/store/'
const engineIndex = 'packages/engine/src/index.ts'

/** In what ways a file breaks the rules of its package; nothing if it keeps them. */
export function violationsOf(file: SourceFile, rules: Readonly<Record<string, PackageRule>>): string[] {
  const packageName = file.path.split('/')[1] ?? ''
  const rule = rules[packageName]
  if (rule === undefined) return [`${file.path}: no rule says what packages/${packageName} may import`]
  const isTest = isTestCode(file.path)
  const found = importsOf(file.text).flatMap((specifier) => importViolations(file.path, specifier, rule, isTest))
  if (namesStore(file) && !isTest) found.push('names the concrete store openLmdbStore')
  return found.map((violation) => `${file.path}: ${violation}`)
}

/** Where the texts of a file name a flag or a command of the command line. Only the command knows how it is used: what lies below it says what
 *  is wrong, and the command adds the advice. */
export function namesOfCommandLine({ path, text }: SourceFile): string[] {
  if (isTestCode(path)) return []
  const literals = withoutComments(text).matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)
  return [...literals].flatMap(([literal]) =>
    [...literal.matchAll(commandLine)].map(([name]) => `${path}: names ${name.trim()}`),
  )
}

/** A flag that is put together, such as those of the AWS CLI, is not one of ours. */
const commandLine =
  /(?<=[\s'"`(])--[a-z][a-z-]*[a-z](?![\w-])|\bhashrange (?:start|copy|verify|compact|schema|import|export|restore|backups?|snapshot|top)\b/g

/** Every module that a text imports: statically, for its types or its effects, dynamically, or by `require`. */
export function importsOf(text: string): string[] {
  const code = withoutComments(text)
  const statements = /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm
  const calls = /(?<![.\w$])(?:import|require)\(\s*['"]([^'"]+)['"]/g
  return [...code.matchAll(statements), ...code.matchAll(calls)].flatMap(([, from, effect]) => from ?? effect ?? [])
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

function importViolations(path: string, specifier: string, rule: PackageRule, isTest: boolean): string[] {
  if (specifier.startsWith('.')) {
    return leavesPackage(path, specifier) ? [`reaches into another package with ${specifier}`] : []
  }
  if (networkModules.includes(specifier) && !rule.mayUseNetwork) return [`imports ${specifier}, below the server`]
  if (specifier.startsWith('node:')) return rule.mayUseNode || isTest ? [] : [`imports ${specifier}`]
  if (specifier === 'lmdb' && !path.startsWith(storeFolder)) return ['imports lmdb outside the store']
  const name = packageOf(specifier)
  const inTests = [...testTools, ...(rule.testsMayImport ?? [])]
  if (rule.mayImport.includes(name) || (isTest && (inTests.includes(name) || name.startsWith('@aws-sdk/'))))
    return []
  return [`imports ${name}`]
}

/** Only the package that people install chooses a store. The engine's index hands it on without choosing. */
function namesStore(file: SourceFile): boolean {
  const mayName = [storeFolder, engineIndex, 'packages/hashrange/'].some((place) => file.path.startsWith(place))
  return !mayName && /\bopenLmdbStore\b/.test(file.text)
}

/** Tests, what they share, and the store's contract suite, which is a test that other packages can run. */
export function isTestCode(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.includes('/testing/') || path.endsWith('/store/describe-store.ts')
}

function leavesPackage(path: string, specifier: string): boolean {
  const [packages = '', name = '', ...folders] = path.split('/').slice(0, -1)
  const resolved = new URL(specifier, `file:///${[packages, name, ...folders].join('/')}/`).pathname
  return !resolved.startsWith(`/${packages}/${name}/`)
}

function packageOf(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}
