import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Tests run on the sources: every package's exports name them under this condition.
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'examples/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // The second names what was skipped and why, and ends with the counts.
    reporters: ['default', './test/support/report.ts'],
    // The AWS SDK's notice about Node.js 20, once per file.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  },
})
