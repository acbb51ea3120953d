import { Download, Printer } from '../../../icons/icons.generated.ts'
import { useRef, useState } from 'react'
import type { ModelDescription } from '@hashrange/model'
import { Button } from '../../../components/controls/button.tsx'
import { Choice } from '../../../components/controls/field.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { tellError } from '../../../components/messages/toast.tsx'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import { CollectionsPicture } from './collections-picture.tsx'
import { ErPicture } from './er-picture.tsx'
import { savePng, saveSvg } from './save-picture.ts'
import './picture.css'

/** The model as a picture for documents: to print, which is how browsers make a PDF, or as a file. */
export default function PictureDialog({
  model,
  onClose,
}: {
  readonly model: ModelDescription
  readonly onClose: () => void
}) {
  const [kind, setKind] = useState<'entities' | 'collections'>('collections')
  const picture = useRef<SVGSVGElement>(null)
  const name = `${model.name}-${kind}`
  const withPicture = (use: (drawn: SVGSVGElement) => void) => () => {
    if (picture.current !== null) use(picture.current)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      shape="wide"
      title="Picture of the model"
      description="For documents and for paper. To get a PDF, print it and choose to save it as PDF."
      actions={
        <>
          <Button icon={<Printer />} onClick={() => window.print()}>
            Print or PDF
          </Button>
          <Button icon={<Download />} onClick={withPicture((drawn) => void savePng(drawn, name).catch(tellError))}>
            PNG
          </Button>
          <Button tone="primary" icon={<Download />} onClick={withPicture((drawn) => saveSvg(drawn, name))}>
            SVG
          </Button>
        </>
      }
    >
      <div className="stack">
        <Choice
          label="Picture"
          shape="segments"
          value={kind}
          options={[
            { value: 'collections', label: 'Item collections' },
            { value: 'entities', label: 'Entities (ER)' },
          ]}
          onChange={setKind}
        />
        <ScrollRegion label="The picture" className="model-picture">
          {kind === 'entities' ? (
            <ErPicture ref={picture} model={model} />
          ) : (
            <CollectionsPicture ref={picture} model={model} />
          )}
        </ScrollRegion>
      </div>
    </Dialog>
  )
}
