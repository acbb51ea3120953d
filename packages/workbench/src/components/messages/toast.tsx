import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Info, X } from '../../icons/icons.generated.ts'
import type { ReactNode } from 'react'
import { ApiError, isAbort } from '../../api/api.ts'
import './toast.css'

const manager = Toast.createToastManager()

export interface ToastOptions {
  readonly description?: string
  /** Takes back what was done. */
  readonly undo?: () => void | Promise<void>
}

/** Says that something was done. */
export function tell(title: string, options: ToastOptions = {}): void {
  const id: string = manager.add({
    title,
    description: options.description,
    type: 'success',
    timeout: options.undo === undefined ? 4000 : 10_000,
    ...(options.undo !== undefined && {
      actionProps: {
        children: 'Undo',
        onClick: () => {
          manager.close(id)
          void Promise.resolve(options.undo?.()).catch(tellError)
        },
      },
    }),
  })
}

/** Says what is missing before something can be done. */
export function advise(title: string): void {
  manager.add({ title, type: 'info', timeout: 4000 })
}

/** Says what went wrong, in the service's words and with a hint. What was cancelled did not go wrong. */
export function tellError(error: unknown): void {
  if (isAbort(error)) return
  const title = error instanceof ApiError ? error.name : 'Something went wrong'
  const message = error instanceof Error ? error.message : String(error)
  const hint = error instanceof ApiError && error.hint !== undefined ? ` ${error.hint}` : ''
  manager.add({ title, description: `${message}${hint}`, type: 'error', timeout: 12_000, priority: 'high' })
}

/** Shows the messages. Stands once in the shell. */
export function ToastHost() {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="toast-viewport">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

const icons: Readonly<Record<string, ReactNode>> & { readonly success: ReactNode } = {
  success: <CircleCheck aria-hidden />,
  info: <Info aria-hidden />,
  error: <CircleAlert aria-hidden />,
}

function Toasts() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={`toast toast-${toast.type ?? 'success'}`}>
      {icons[toast.type ?? 'success'] ?? icons.success}
      <div className="grow">
        <Toast.Title className="toast-title" render={<p />} />
        <Toast.Description className="toast-description" />
      </div>
      {toast.actionProps !== undefined && <Toast.Action className="toast-action" />}
      <Toast.Close className="toast-close" aria-label="Dismiss">
        <X />
      </Toast.Close>
    </Toast.Root>
  ))
}
