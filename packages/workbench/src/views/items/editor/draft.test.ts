import { describe, expect, test } from 'vitest'
import { changeNode, draftOf, itemOfDraft, newNode, withType } from './draft.ts'
import { editorState, readEditor } from './editor-state.ts'
import { escapeText, needsEscapes, unescapeText } from './text-escape.ts'

const item = JSON.parse(`{
  "PK": { "S": "a\\r\\nb" }, "n": { "N": "12345678901234567890123456789012345678" }, "b": { "B": "AAEC" },
  "__proto__": { "M": { "constructor": { "L": [{ "NULL": true }, { "BOOL": false }, { "M": {} }, { "L": [] }] } } },
  "ss": { "SS": ["x", "y"] }, "ns": { "NS": ["-0.5", "1"] }, "bs": { "BS": ["AA==", "AAE="] }, "e": { "S": "" }
}`) as Parameters<typeof draftOf>[0]

describe('a draft', () => {
  test('holds every type without loss', () => {
    const { item: back, problems } = itemOfDraft(draftOf(item))
    expect(problems).toEqual([])
    expect(JSON.stringify(back)).toBe(JSON.stringify(item))
  })

  test('is the same in each of its forms', () => {
    for (const form of ['form', 'dynamodb', 'plain'] as const) {
      expect(JSON.stringify(readEditor(editorState(form, item)).item)).toBe(JSON.stringify(item))
    }
  })

  test('says which value is wrong, in the words of the service', () => {
    const [first, ...rest] = draftOf(item)
    const wrong = { ...newNode('n2', 'N'), text: '12a' }
    const { problems } = itemOfDraft([...(first === undefined ? [] : [first]), ...rest, wrong, newNode('n2')])
    expect(problems.map(({ message }) => message)).toEqual([
      'The parameter cannot be converted to a numeric value: 12a',
      '"n2" is here twice.',
    ])
    expect(problems[0]?.nodeId).toBe(wrong.id)
  })

  test('a change leaves what is beside it as it was', () => {
    const nodes = draftOf(item)
    const deep = nodes.find(({ name }) => name === '__proto__')?.children[0]?.children[1]
    const next = changeNode(nodes, deep?.id ?? 0, (node) => ({ ...node, isTrue: true }))
    expect(JSON.stringify(itemOfDraft(next).item)).toBe(JSON.stringify(item).replace('"BOOL":false', '"BOOL":true'))
    expect(next[0]).toBe(nodes[0])
    expect(changeNode(nodes, nodes[1]?.id ?? 0, () => undefined)).toHaveLength(nodes.length - 1)
  })

  test('another type keeps what fits', () => {
    expect(itemOfDraft([withType({ ...newNode('a'), text: '7' }, 'NS')]).item).toEqual({ a: { NS: ['7'] } })
  })
})

describe('escapes', () => {
  test('let a text box hold what it would change', () => {
    for (const text of ['a\r\nb', 'nul \u0000', '\ud800 alone', 'C:\\new\\r', '\u2028']) {
      expect(unescapeText(escapeText(text))).toBe(text)
    }
    expect([needsEscapes('a\r\nb'), needsEscapes('a\nb\tc'), needsEscapes('\ud800')]).toEqual([true, false, true])
  })
})
