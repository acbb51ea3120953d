import { lazy, Suspense, useState } from 'react'
import type { AskedOperation } from '../../api/api.ts'
import { useConnectionName } from '../../state/scope.tsx'
import { Button } from '../controls/button.tsx'

const WhyDrawer = lazy(() => import('./why-drawer.tsx'))

/** Opens what policies decide about a request. */
export default function WhyButton({ asked }: { readonly asked: AskedOperation }) {
  const [isOpen, setOpen] = useState(false)
  // What another database decides, only it can explain.
  const isElsewhere = useConnectionName() !== undefined
  if (isElsewhere) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>Why?</Button>
      {isOpen && (
        <Suspense fallback={null}>
          <WhyDrawer asked={asked} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
