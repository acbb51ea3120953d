import { readItem } from '@hashrange/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryItem } from '../testing/arbitrary-item.ts'
import { decodeInPieces } from '../testing/decode-in-pieces.ts'
import { IonDecoder } from './ion.ts'
import { ionItemLine } from './ion-writer.ts'
import type { Row } from './row-decoder.ts'

function decode(content: string | Uint8Array, pieceBytes = 7): readonly Row[] {
  return decodeInPieces(new IonDecoder(), content, pieceBytes)
}

describe('Ion text', () => {
  test('is written as the service writes it', () => {
    const item = readItem({
      Authors: { SS: ['Author1', 'Author2'] },
      Id: { N: '103' },
      InPublication: { BOOL: false },
      PageCount: { N: '600' },
      Price: { N: '-2000' },
      Weight: { N: '1.5' },
      Cover: { B: 'aGk=' },
      Sizes: { NS: ['1', '20'] },
      Blobs: { BS: ['AQ=='] },
      'a b': { L: [{ NULL: true }, { S: 'it\'s "quoted"\n' }] },
      $7: { M: { null: { S: '' } } },
    })
    expect(ionItemLine(item)).toBe(
      `$ion_1_0 {Item:{Authors:$dynamodb_SS::["Author1","Author2"],Id:103.,InPublication:false,PageCount:6d2,Price:-2d3,Weight:1.5,Cover:{{aGk=}},Sizes:$dynamodb_NS::[1.,2d1],Blobs:$dynamodb_BS::[{{AQ==}}],'a b':[null,"it's \\"quoted\\"\\x0a"],'$7':{'null':""}}}\n`,
    )
  })

  test('is read back as the same item', () => {
    fc.assert(
      fc.property(arbitraryItem, (item) => {
        const [row] = decode(ionItemLine(item))
        expect(readItem(row !== undefined && 'item' in row ? row.item : {})).toEqual(item)
      }),
    )
  })

  test('is read in every spelling that Ion has for it', () => {
    const line =
      `$ion_1_0 /* one */ x::{ "Item" : { a: 0x1F, b: -0b11, c: 1_000, d: 1.5d-3, e: 2e3, 'f g': '''long ''' '''text''',
`.replace('\n', '')
    const rest = ` h: {{ aG k= }}, i: null.string, j: "\\u00e9\\U0001F600\\x41\\t", k: [1, 2,], "": true, } }// end`
    const [row] = decode(line + rest)
    expect(row).toEqual({
      line: 1,
      item: {
        a: { N: '31' },
        b: { N: '-3' },
        c: { N: '1000' },
        d: { N: '1.5E-3' },
        e: { N: '2e3' },
        'f g': { S: 'long text' },
        h: { B: 'aGk=' },
        i: { NULL: true },
        j: { S: 'é😀A\t' },
        k: { L: [{ N: '1' }, { N: '2' }] },
        '': { BOOL: true },
      },
    })
  })

  test('says what it cannot read, line by line', () => {
    const deep = `$ion_1_0 {Item:{a:${'['.repeat(100_000)}}}`
    const lines = [
      '{Item:{a:2007-02-23T}}',
      '{Item:{a:b}}',
      '{Item:{a:(1)}}',
      '{Item:1}',
      '{Item:{a:"x}}',
      '{Item:{a}}',
      deep,
    ]
    expect(decode(lines.join('\n'), 65_536).map((row) => row.fault)).toEqual([
      "An item cannot hold Ion's type timestamp",
      "An item cannot hold Ion's type symbol",
      "An item cannot hold Ion's type sexp",
      'The value is not a struct with a field "Item"',
      'The line ends within a string',
      'Character 9 of the line, "}", is unexpected',
      'Nesting Levels have exceeded supported limits',
    ])
  })
})
