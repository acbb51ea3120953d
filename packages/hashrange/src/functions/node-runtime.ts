import { join } from 'node:path'
import type { LambdaOptions } from '@hashrange/lambda'
import { packageFolder } from '../package-folder.ts'
import { readSources, signatureOf } from '../workbench/models/source-files.ts'

/** Runs functions in JavaScript and TypeScript with the Node.js that runs the server. */
export function nodeRuntime(): NonNullable<LambdaOptions['node']> {
  const known = new Map<string, { readonly files: readonly string[]; readonly signature: string }>()
  return {
    command: (memoryMb) => [
      process.execPath,
      `--max-old-space-size=${memoryMb}`,
      join(packageFolder(), 'dist', 'function-process.js'),
    ],
    async versionOf(file) {
      const before = known.get(file)
      if (before !== undefined && before.signature === (await signatureOf(before.files))) return before.signature
      // Which files it imports may have changed with it.
      const { files } = await readSources(file)
      const signature = await signatureOf(files)
      known.set(file, { files, signature })
      return signature
    },
  }
}
