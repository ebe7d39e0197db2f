import type { Transform } from 'node:stream';
import { TextDecoder } from 'node:util';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';
import { MAX_BODY_BYTES } from './body-reader.js';

interface Bytes {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

const CHARSET = /charset\s*=\s*["']?([\w.:-]+)/i;

const TEXT_TYPE = /^$|^text\/|json|xml/i;
// oxlint-disable-next-line no-control-regex -- characters that no text in Latin-1 has
const CONTROLS = /[\u0000-\u0008\u000e-\u001f]/;

/** The body of an answer as text, decoded as its headers say; null if that fails. Without a charset it is UTF-8, else Latin-1. */
export async function responseText(
  body: Bytes,
  header: (name: string) => string | undefined,
): Promise<{ readonly text: string | null; readonly isWhole: boolean }> {
  const coding = header('content-encoding')?.toLowerCase() ?? '';
  const type = header('content-type') ?? '';
  const [, charset] = CHARSET.exec(type) ?? [];
  try {
    const { bytes, isWhole } = await decompressed(body, coding);
    return { text: charset === undefined ? undeclared(bytes, isWhole, type) : decoded(bytes, isWhole, charset), isWhole };
  } catch {
    return { text: null, isWhole: false };
  }
}

function undeclared(bytes: Buffer, isWhole: boolean, type: string): string {
  try {
    return decoded(bytes, isWhole, 'utf-8');
  } catch (error) {
    const text = decoded(bytes, isWhole, 'latin1');
    if (!TEXT_TYPE.test(type) || CONTROLS.test(text)) throw error;
    return text;
  }
}

/** Throws if the bytes are not in this charset. If more follows, a character that is cut off is dropped. */
function decoded(bytes: Buffer, isWhole: boolean, charset: string): string {
  return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: !isWhole });
}

/** At most as many bytes as may be kept: a decompression bomb makes gigabytes of a few. */
async function decompressed(body: Bytes, coding: string): Promise<Bytes> {
  if (coding === '' || coding === 'identity' || body.bytes.length === 0) return body;
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of decompressorOf(coding, body.isWhole).end(body.bytes) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size > MAX_BODY_BYTES) return { bytes: Buffer.concat(pieces).subarray(0, MAX_BODY_BYTES), isWhole: false };
  }
  return { bytes: Buffer.concat(pieces), isWhole: body.isWhole };
}

/** For incomplete bytes, yields what they hold instead of failing at the missing end. */
function decompressorOf(coding: string, isWhole: boolean): Transform {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip({ finishFlush: isWhole ? constants.Z_FINISH : constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({
        finishFlush: isWhole ? constants.BROTLI_OPERATION_FINISH : constants.BROTLI_OPERATION_FLUSH,
      });
    default:
      throw new Error(`unknown coding ${coding}`);
  }
}
