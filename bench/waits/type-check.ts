import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface TypeCheck {
  readonly checkSeconds: number
  /** How much work it was for the compiler, whatever else the machine does. */
  readonly instantiations: number
}

/** Type-checks a module in `folder`, which must be inside the project, against the sources of the packages. */
export function typeCheck(folder: string, source: string, baseConfig: string): TypeCheck {
  writeFileSync(join(folder, 'large.ts'), source)
  const compilerOptions = {
    noEmit: true,
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    customConditions: ['source'],
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: baseConfig, compilerOptions, files: ['large.ts'] }),
  )
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--extendedDiagnostics'], {
    encoding: 'utf8',
  })
  if (stdout.includes('error TS')) throw new Error(`the model does not compile: ${stdout.slice(0, 2_000)}`)
  return { checkSeconds: figure(stdout, 'Check time'), instantiations: figure(stdout, 'Instantiations') }
}

function figure(text: string, name: string): number {
  const match = new RegExp(`${name}: +([\\d.]+)`).exec(text)
  if (match === null) throw new Error(`the compiler does not say its ${name}: ${text}`)
  return Number(match[1])
}
