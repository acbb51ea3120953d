// The process in which one function runs, separate from the database: it may loop or fill the memory, and is killed for
// it. packages/lambda starts it, and speaks Lambda's runtime API with it.
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runFunction } from '@hashrange/lambda/runtime'
import { loadSource } from './load-source.ts'

// The SDK's notice about versions of Node.js is for those who write the application.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'

await runFunction(async (file) => {
  if (!/^\.[cm]?tsx?$/.test(extname(file)))
    return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>
  return loadSource(file)
})
