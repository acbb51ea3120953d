import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** Copies the declarations that a package exports, and what they need, to `dist`. Types are looked up beside the code, and the packages that
 *  are inside of it are not installed: their types come along, below `inside/`, and are named by their place. */
export function copyTypes({ root, name, inside, entries, dist }) {
  const copied = new Set()
  const waiting = entries.map((path) => ({ name, path }))
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const target = targetOf(file)
    if (copied.has(target)) continue
    copied.add(target)
    const from = sourceOf(file)
    const text = readFileSync(from, 'utf8').replaceAll(
      /(\bfrom |\bimport\(|\bimport )(['"])([^'"]+)\2/g,
      (whole, before, quote, id) => {
        const found = find(file, id)
        if (found === undefined) return whole
        waiting.push(found)
        return `${before}${quote}${placeOf(targetOf(found), dirname(target))}${quote}`
      },
    )
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n'))
  }

  function sourceOf(file) {
    return join(root, 'packages', file.name, 'dist', file.path)
  }

  function targetOf(file) {
    return file.name === name ? join(dist, file.path) : join(dist, 'inside', file.name, file.path)
  }

  /** The file that an import names, unless it is of another package that users install. */
  function find(file, id) {
    if (id.startsWith('.')) {
      const path = join(dirname(file.path), id).replace(/\.[jt]s$/, '.d.ts')
      if (!existsSync(sourceOf({ name: file.name, path }))) throw new Error(`${sourceOf(file)}: there is no ${id}`)
      return { name: file.name, path }
    }
    const [scope, other, ...rest] = id.split('/')
    if (scope !== '@hashrange' || !inside.includes(other)) return undefined
    const { exports } = JSON.parse(readFileSync(join(root, 'packages', other, 'package.json'), 'utf8'))
    return { name: other, path: relative('dist', exports[['.', ...rest].join('/')].types) }
  }
}

function placeOf(target, seenFrom) {
  const place = relative(seenFrom, target)
    .split(sep)
    .join('/')
    .replace(/\.d\.ts$/, '.js')
  return place.startsWith('.') ? place : `./${place}`
}
