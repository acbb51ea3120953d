import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

// The limit of any server on node:http: reads a request whole and answers with bytes known beforehand.
// Arguments: the port, and a file of answers by operation.
const [port = '', answersFile = ''] = process.argv.slice(2)
const texts = JSON.parse(readFileSync(answersFile, 'utf8')) as Record<string, string>
const answers = new Map(
  Object.entries(texts).map(([operation, text]) => [`DynamoDB_20120810.${operation}`, Buffer.from(text)]),
)
const nothing = Buffer.from('{}')

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    Buffer.concat(chunks)
    const answer = answers.get(String(request.headers['x-amz-target'])) ?? nothing
    response.writeHead(200, {
      'Content-Type': 'application/x-amz-json-1.0',
      'Content-Length': answer.length,
      'x-amzn-RequestId': 'ECHO0ECHO0ECHO0ECHO0ECHO0ECHO0ECHO0ECHO0ECHO0ECHO0ECHO',
      'x-amz-crc32': '2745614147',
    })
    response.end(answer)
  })
})
server.listen(Number(port), '127.0.0.1')
