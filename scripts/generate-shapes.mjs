/** Makes the compact form of a service's input shapes (see packages/engine/src/api/shapes.ts) out of its API model, as
 *  botocore ships it, unpacked:
 *
 *      node scripts/generate-shapes.mjs service-2.json packages/monitoring/src/api/cloudwatch-shapes.generated.ts ListMetrics …
 *
 *  Without names, all operations of the model are taken. */
import { readFileSync, writeFileSync } from 'node:fs'

const [modelPath, outPath, ...named] = process.argv.slice(2)
if (modelPath === undefined || outPath === undefined) {
  console.error('usage: node scripts/generate-shapes.mjs <model.json> <out.ts> [operation …]')
  process.exit(2)
}
const { metadata, operations, shapes } = JSON.parse(readFileSync(modelPath, 'utf8'))
const names = named.length > 0 ? named : Object.keys(operations)
const lines = new Map()
for (const name of names) emit(operations[name].input?.shape, `${name}Input`)

const text = [...lines.values()].toSorted((one, other) => (one < other ? -1 : 1)).join('\n')
if (text.includes('`') || text.includes('${')) throw new Error('a shape cannot stand in a template string')
writeFileSync(
  outPath,
  `/** The input shapes of ${metadata.serviceFullName}'s operations, derived from its API model, version ${metadata.apiVersion}, by
 *  scripts/generate-shapes.mjs: one shape a line, in the form that \`shapes.ts\` reads. */
export const shapeLines = String.raw\`
${text}
\`
`,
)

function emit(shapeName, asName = shapeName) {
  if (lines.has(asName)) return
  const shape = shapes[shapeName] ?? { type: 'structure', members: {} }
  lines.set(asName, '')
  lines.set(asName, `${asName} ${declare(shape)}`.trimEnd())
}

function declare(shape) {
  switch (shape.type) {
    case 'structure': {
      const members = Object.entries(shape.members ?? {}).map(([name, member]) => {
        emit(member.shape)
        return `${name}${shape.required?.includes(name) === true ? '!' : ''}:${member.shape}`
      })
      return `structure ${members.join(' ')}`
    }
    case 'list':
      emit(shape.member.shape)
      return `list ${shape.member.shape}${bounds(shape)}`
    case 'map':
      emit(shape.value.shape)
      return `map ${shape.value.shape}${bounds(shape)}${keys(shape.key.shape)}`
    // In the form of parsed JSON, binary data is a text in base64: its operation checks its length.
    case 'blob':
      return 'string'
    default:
      return (
        // In JSON, bytes are text in base 64.
        (shape.type === 'blob' ? 'string' : shape.type) +
        bounds(shape) +
        (shape.enum === undefined ? '' : ` enum ${shape.enum.join('|')}`) +
        (shape.pattern === undefined ? '' : ` pattern ${shape.pattern}`)
      )
  }
}

/** What keys are is only said where they are constrained. */
function keys(name) {
  const { min, max, enum: values, pattern } = shapes[name]
  if ([min, max, values, pattern].every((constraint) => constraint === undefined)) return ''
  emit(name)
  return ` keys ${name}`
}

function bounds({ min, max }) {
  return min === undefined && max === undefined ? '' : ` ${min ?? ''}..${max ?? ''}`
}
