import { Socket, type OnReadOpts, type SocketConstructorOpts } from 'node:net'

/** A socket that reads into a buffer of its own, and hands out copies. For each read, Node would otherwise allocate 64 KB
 *  and shrink them to what has come, which takes longer than copying the few hundred bytes of an answer. */
export function plainSocket(): Socket {
  const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
    onread: {
      buffer: Buffer.allocUnsafe(readBytes),
      callback: (length, bytes) => socket.emit('data', Buffer.from(bytes.subarray(0, length))),
    },
  }
  const socket = new Socket(options)
  return socket
}

const readBytes = 64 * 1_024
