import { saveFile } from '../../../components/save-file.ts'

/** Twice as fine as on the screen, for paper. */
const scale = 2

/** A picture of the page as a file that stands for itself. */
function textOf(picture: SVGSVGElement): string {
  const copy = picture.cloneNode(true) as SVGSVGElement
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`
}

export function saveSvg(picture: SVGSVGElement, name: string): void {
  saveFile(new Blob([textOf(picture)], { type: 'image/svg+xml' }), `${name}.svg`)
}

export async function savePng(picture: SVGSVGElement, name: string): Promise<void> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(picture))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = picture.viewBox.baseVal.width * scale
  canvas.height = picture.viewBox.baseVal.height * scale
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot draw a PNG. Save the picture as SVG.')
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (file === null) throw new Error('The picture is too large for a PNG. Save it as SVG.')
  saveFile(file, `${name}.png`)
}
