// Loaded by every Node.js process of a run before anything else: optimize-late.ts says why.
require('node:v8').setFlagsFromString('--interrupt-budget=1000000')
