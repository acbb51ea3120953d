import { connect, type Socket } from 'node:net'

const receiveBytes = 128 * 1024
const contentLength = /content-length: *(\d+)/i

/** A keep-alive connection that reads just enough of an answer to know where it ends. Node's own client would cost more
 *  than most servers measured with it. */
export class LoadConnection {
  readonly #socket: Socket
  readonly #onAnswer: () => void
  readonly #onError: (error: Error) => void
  /** The beginning of an answer whose head has not arrived whole. */
  #started: Buffer | undefined
  #bodyBytesLeft = 0

  private constructor(port: number, onAnswer: () => void, onError: (error: Error) => void) {
    this.#onAnswer = onAnswer
    this.#onError = onError
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(receiveBytes),
        callback: (length, buffer) => {
          this.#receive(Buffer.from(buffer.buffer, buffer.byteOffset, length))
          return true
        },
      },
    })
    this.#socket.on('error', onError)
    this.#socket.on('end', () => onError(new Error('The server closed a connection.')))
  }

  static async open(port: number, onAnswer: () => void, onError: (error: Error) => void): Promise<LoadConnection> {
    const connection = new LoadConnection(port, onAnswer, onError)
    await new Promise((resolve) => connection.#socket.once('connect', resolve))
    return connection
  }

  send(request: Buffer): void {
    this.#socket.write(request)
  }

  close(): void {
    this.#socket.removeAllListeners('end')
    this.#socket.destroy()
  }

  #receive(bytes: Buffer): void {
    if (this.#bodyBytesLeft > 0) {
      this.#bodyBytesLeft -= bytes.length
      if (this.#bodyBytesLeft <= 0) this.#onAnswer()
      return
    }
    const answer = this.#started === undefined ? bytes : Buffer.concat([this.#started, bytes])
    const headEnd = answer.indexOf('\r\n\r\n')
    if (headEnd < 0) {
      this.#started = Buffer.from(answer)
      return
    }
    this.#started = undefined
    const head = answer.toString('latin1', 0, headEnd)
    const length = contentLength.exec(head)?.[1]
    if (length === undefined || !head.startsWith('HTTP/1.1 200')) {
      this.#onError(new Error(`The server answered: ${answer.toString('utf8').slice(0, 1_000)}`))
      return
    }
    this.#bodyBytesLeft = Number(length) - (answer.length - headEnd - 4)
    if (this.#bodyBytesLeft <= 0) this.#onAnswer()
  }
}
