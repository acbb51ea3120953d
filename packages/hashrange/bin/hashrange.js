#!/usr/bin/env node
// Here before anything is built, so that npm can link the command when it installs.
await import('../dist/main.js')
