#!/usr/bin/env node
// Here before anything is built, so that npm can link the command when it installs.
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
if (existsSync(main)) await import(main.href)
else {
  console.error('hashrange: The command is not built yet. In the clone, run: npm run build')
  process.exitCode = 1
}
