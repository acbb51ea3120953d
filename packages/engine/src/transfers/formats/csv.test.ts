import { describe, expect, test } from 'vitest'
import { decodeInPieces } from '../testing/decode-in-pieces.ts'
import { CsvDecoder, type CsvOptions } from './csv.ts'
import { longestRowBytes, rowTooLong, type Row } from './row-decoder.ts'

function decode(text: string, options: Partial<CsvOptions> = {}, pieceBytes = text.length): readonly Row[] {
  return decodeInPieces(new CsvDecoder({ delimiter: ',', keyTypes: {}, ...options }), text, pieceBytes)
}

describe('CSV', () => {
  test('takes names from the first line and counts lines from 1', () => {
    expect(decode('a,b\n1,2\n\n3,4')).toEqual([
      { line: 2, item: { a: { S: '1' }, b: { S: '2' } } },
      { line: 4, item: { a: { S: '3' }, b: { S: '4' } } },
    ])
  })

  test('reads the same however the bytes are cut', () => {
    const text = '\uFEFFa;b\r\n"x;""y""\nz";ключ\r\n"";\r\n'
    const whole = decode(text, { delimiter: ';' })
    expect(whole).toEqual([
      { line: 2, item: { a: { S: 'x;"y"\nz' }, b: { S: 'ключ' } } },
      { line: 4, item: { a: { S: '' }, b: { S: '' } } },
    ])
    for (let pieceBytes = 1; pieceBytes < 9; pieceBytes++) {
      expect(decode(text, { delimiter: ';' }, pieceBytes)).toEqual(whole)
    }
  })

  test('gives keys their type', () => {
    expect(decode('n,b,s\n1,AQ==,1', { keyTypes: { n: 'N', b: 'B', s: 'S' } })).toEqual([
      { line: 2, item: { n: { N: '1' }, b: { B: 'AQ==' }, s: { S: '1' } } },
    ])
  })

  test('finds faults in one row and goes on with the next', () => {
    const rows = decode('a,b\n1\n1,2,3\nx"y",2\n"x"y,2\n1,2\n"open,2\n')
    expect(rows.map((row) => row.fault ?? row.item)).toEqual([
      'The row has 1 columns, its header 2',
      'The row has 3 columns, its header 2',
      'A quote stands within a field that is not quoted; double it and quote the field',
      'A quoted field goes on after its closing quote',
      { a: { S: '1' }, b: { S: '2' } },
      'The row ends within a quoted field',
    ])
  })

  test('finds the fault of a row of which nothing is left', () => {
    expect(decode('a\n"')).toEqual([{ line: 2, fault: 'The row ends within a quoted field' }])
    expect(decode(`a\n${'x'.repeat(longestRowBytes + 1)}\ny`)).toEqual([
      { line: 2, fault: rowTooLong },
      { line: 3, item: { a: { S: 'y' } } },
    ])
  })

  test('takes no rows for a header with a column twice', () => {
    const fault = 'The header has the column "b" twice'
    expect(decode('a,b,b\n1,2,3\n')).toEqual([{ line: 2, fault }])
    expect(decode('1,2,3\n', { header: ['b', 'a', 'b'] })).toEqual([{ line: 1, fault }])
  })

  test('keeps a column called __proto__ an attribute', () => {
    const [row] = decode('__proto__\nx')
    expect(Object.keys(row !== undefined && 'item' in row ? (row.item as object) : {})).toEqual(['__proto__'])
  })
})
