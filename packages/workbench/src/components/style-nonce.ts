/** Under this nonce, and no other way, may styles be added to the page. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
