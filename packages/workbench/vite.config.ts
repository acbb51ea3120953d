import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { compress } from './build/compress.ts'
import { paintFirst } from './build/paint-first.ts'

/** The database that `npm run dev -w @hashrange/workbench` shows. */
const database = 'http://127.0.0.1:8000'

/** What many views use is fetched once, in a few files, instead of in dozens that hold an icon or a button each. What is loaded when it is
 *  first shown (editors, charts, Parquet) stays apart. */
const sharedFiles = [
  { name: 'icons', test: /workbench[\\/]src[\\/]icons[\\/]/ },
  {
    name: 'parts',
    test: /workbench[\\/]src[\\/](api|components|state|values)[\\/]|@base-ui[\\/]/,
    minShareCount: 4,
  },
]

export default defineConfig({
  base: '/_workbench/',
  // Our own packages are bundled from their sources, so that the page builds without them being built.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  plugins: [react(), paintFirst(), compress()],
  build: {
    outDir: 'dist/page',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy lets no data be a script or a style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { output: { codeSplitting: { groups: sharedFiles } } },
  },
  server: {
    // The API takes requests of its own origin alone: the proxy makes the origin its own.
    proxy: { '/_workbench/api': { target: database, changeOrigin: true, headers: { Origin: database } } },
  },
})
