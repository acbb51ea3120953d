// Adds to the files package-lock.json, here and in site/, what the registry that they were made with did not have: the binaries of other
// platforms. Without an entry for each, `npm ci` refuses the file, and npm on those platforms installs none. The versions are those that their
// packages name exactly; there are no checksums, because there was nothing to compute them from. Run it after `npm install` has changed one of
// the files: node scripts/complete-lock.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
for (const name of ['package-lock.json', 'site/package-lock.json']) {
  console.log(`${name}: ${complete(join(root, name))} binaries of other platforms added`)
}

function complete(file) {
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const { packages } = lock
  let added = 0
  for (const [path, owner] of Object.entries(packages)) {
    // Beside the package that needs it.
    const folder = path.slice(0, path.lastIndexOf('node_modules/'))
    for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
      const place = `${folder}node_modules/${name}`
      const isThere = [`${path}/node_modules/${name}`, place].some((known) => packages[known]?.version === version)
      if (isThere || !/^\d+\.\d+\.\d+$/.test(version)) continue
      packages[place] = { version, ...platformOf(name), ...(owner.dev && { dev: true }), optional: true }
      added += 1
    }
  }
  lock.packages = Object.fromEntries(
    Object.entries(packages).toSorted(([one], [other]) => one.localeCompare(other, 'en')),
  )
  if (added > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  return added
}

/** What a name says: `binding-linux-x64-musl`, `darwin-arm64`, `binding-win32-ia32-msvc`. */
function platformOf(name) {
  const os = ['android', 'darwin', 'freebsd', 'linux', 'openbsd', 'openharmony', 'win32'].find(
    (one) => name.includes(`-${one}-`) || name.includes(`/${one}-`),
  )
  const cpu = ['arm64', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'wasm32', 'arm'].find((one) =>
    name.includes(`-${one}`),
  )
  const libc = os !== 'linux' ? undefined : name.includes('musl') ? 'musl' : 'glibc'
  return { ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }), ...(os && { os: [os] }) }
}
