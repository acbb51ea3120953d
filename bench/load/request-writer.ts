import { bodyBytes, type RequestTemplate } from '../workload/request-template.ts'
import { TemplateWriter } from '../workload/template-writer.ts'
import { requestHead } from './request-head.ts'

/** The bytes of one connection's requests. A connection has one request under way at a time, so that the next one is
 *  written over the last. */
export class RequestWriter extends TemplateWriter {
  constructor(template: RequestTemplate, port: number) {
    super(template, requestHead(port, template.operation, bodyBytes(template)))
  }
}
