// The process in which one function runs, separate from the database: it may loop or fill the memory, and is killed for
// it. packages/lambda starts it, and speaks Lambda's runtime API with it.
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runFunction } from '@hashrange/lambda/runtime'

// The SDK's notice about versions of Node.js is for those who write the application.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'

await runFunction(async (file) => {
  if (!/^\.[cm]?tsx?$/.test(extname(file)))
    return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>
  // Loaded here, because only TypeScript needs it. It compiles line by line in place, so that line numbers in stacks are
  // those of the file.
  const { createJiti } = await import('jiti')
  return createJiti(file, { fsCache: false, moduleCache: false }).import<Readonly<Record<string, unknown>>>(file)
})
