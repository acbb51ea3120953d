import { createRoot } from 'react-dom/client'
import { openAccess } from './api/access.ts'
import { App } from './app/app.tsx'
import { applyLateStyles } from './app/late-styles.ts'
import './styles/tokens.css'
import './styles/base.css'

openAccess()
const root = document.getElementById('root')
if (root !== null) void applyLateStyles().then(() => createRoot(root).render(<App />))
