export { uriEncode } from './signatures/uri-encode.ts'
