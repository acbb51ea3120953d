import { createRoot } from 'react-dom/client'
import { openAccess } from './api/access.ts'
import { App } from './app/app.tsx'
import './styles/tokens.css'
import './styles/base.css'

openAccess()
const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
