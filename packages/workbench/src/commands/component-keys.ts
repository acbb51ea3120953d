/** Keys that components handle themselves, by where they are. */
export const componentKeys: readonly (readonly [place: string, keys: readonly (readonly [string, string])[]])[] = [
  [
    'In grids',
    [
      ['Enter', 'Open the row'],
      ['Space', 'Select the row'],
      ['Mod+A', 'Select all loaded rows'],
      ['Shift+ArrowDown', 'Select more rows'],
      ['Mod+C', 'Copy the selected rows, or the cell'],
      ['Mod+V', 'Paste rows of a spreadsheet, or JSON'],
      ['F2', 'Edit the cell'],
      ['Mod+Z', 'Undo the last edit'],
      ['Home', 'First column; with Ctrl, first row'],
      ['End', 'Last column; with Ctrl, last row'],
    ],
  ],
  [
    'In a cell that is edited',
    [
      ['Enter', 'Keep the value'],
      ['Escape', 'Leave it as it was'],
    ],
  ],
  ['In an item that is edited', [['Mod+S', 'Save the item']]],
  [
    'In collections',
    [
      ['ArrowDown', 'Next item'],
      ['ArrowRight', 'Table or index beside it'],
      ['Enter', 'Open the item'],
      ['F', 'Where the item appears'],
      ['Q', 'Query its partition'],
      ['Home', 'First item'],
      ['End', 'Last item'],
    ],
  ],
  [
    'In streams and in the heat map',
    [
      ['ArrowDown', 'Next record, or partition'],
      ['Escape', 'Close what is shown of it'],
    ],
  ],
  [
    'In lists, tabs and menus',
    [
      ['ArrowDown', 'Next entry of a list or menu'],
      ['ArrowRight', 'Next tab'],
      ['Enter', 'Choose it'],
      ['Escape', 'Close it'],
    ],
  ],
]
