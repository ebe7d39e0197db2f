import { isUtf8 } from 'node:buffer';
import type { Transform } from 'node:stream';
import { TextDecoder } from 'node:util';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { MOST_BODY_BYTES } from './body-reader.js';

interface Bytes {
  readonly bytes: Buffer;
  /** Whether they are all that was sent. */
  readonly isWhole: boolean;
}

const MOST_CODINGS = 2;
const CHARSET = /charset\s*=\s*["']?([\w.:-]+)/i;
/** Types whose bytes are letters, whatever the charset. */
const WRITTEN = /^\s*($|text\/|application\/([\w.-]+\+)?(json|xml|xhtml\+xml|javascript|x-www-form-urlencoded)\b)/i;
// oxlint-disable-next-line no-control-regex -- bytes that no text in Latin-1 has
const UNWRITTEN = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/**
 * The body of an answer as text, decompressed (gzip, deflate, brotli) as far as 20 KiB of it go; null where it is none. A text
 * that is not in the charset it claims, or claims none, is taken for UTF-8, then for Latin-1.
 */
export async function responseText(
  { bytes, isWhole }: Bytes,
  header: (name: string) => string | undefined,
): Promise<{ readonly text: string | null; readonly isWhole: boolean }> {
  const codings = (header('content-encoding') ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity').slice(-MOST_CODINGS);
  let plain: Bytes = { bytes, isWhole };
  for (const coding of applied.toReversed()) {
    const decoded = await decompressed(plain, coding);
    if (!decoded) return { text: null, isWhole: false };
    plain = decoded;
  }
  const text = lettersOf(plain, header('content-type') ?? '');
  return { text, isWhole: plain.isWhole && text !== null };
}

/** The bytes as they are where they are letters, whatever the coding that they claim; null where nothing can be told. */
async function decompressed(told: Bytes, coding: string): Promise<Bytes | null> {
  const { bytes, isWhole } = told;
  if (bytes.length === 0) return told;
  const strict = isWhole ? await unpacked(decompressorOf(coding, bytes, false), bytes) : null;
  if (strict?.isWhole) return strict;
  if (tryDecoding(bytes, 'utf-8', isWhole) !== null || !UNWRITTEN.test(bytes.toString('latin1'))) return told;
  const { bytes: found } = await unpacked(decompressorOf(coding, bytes, true), bytes);
  return found.length > 0 ? { bytes: found, isWhole: false } : null;
}

/** Null for a coding that is not known. `isCut`: tell what the beginning of a stream holds, instead of failing for its missing end. */
function decompressorOf(coding: string, bytes: Buffer, isCut: boolean): Transform | null {
  const finishFlush = isCut ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip({ finishFlush });
  if (coding === 'deflate') return hasZlibHeader(bytes) ? createInflate({ finishFlush }) : createInflateRaw({ finishFlush });
  if (coding !== 'br') return null;
  return createBrotliDecompress({ finishFlush: isCut ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_FINISH });
}

/** Servers send `deflate` with the header that the standard asks for, and without. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

/** What comes out, up to the bound: a few bytes may stand for gigabytes. */
function unpacked(decompressor: Transform | null, bytes: Buffer): Promise<Bytes> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const done = (isWhole: boolean) => {
      decompressor?.destroy();
      resolve({ bytes: Buffer.concat(pieces).subarray(0, MOST_BODY_BYTES), isWhole });
    };
    if (!decompressor) return done(false);
    decompressor
      .on('data', (piece: Buffer) => {
        pieces.push(piece);
        size += piece.length;
        if (size > MOST_BODY_BYTES) done(false);
      })
      .on('end', () => done(true))
      .on('error', () => done(false))
      .end(bytes);
  });
}

/** An incomplete last letter is dropped. */
function lettersOf({ bytes, isWhole }: Bytes, type: string): string | null {
  const [, charset = 'utf-8'] = CHARSET.exec(type) ?? [];
  // Many times faster than a decoder, which handles the rare cases.
  if (charset.toLowerCase() === 'utf-8' && isUtf8(bytes)) return bytes.toString('utf8');
  const text = tryDecoding(bytes, charset, isWhole) ?? tryDecoding(bytes, 'utf-8', isWhole);
  if (text !== null || !WRITTEN.test(type)) return text;
  const latin1 = bytes.toString('latin1');
  return UNWRITTEN.test(latin1) ? null : new TextDecoder('windows-1252').decode(bytes);
}

function tryDecoding(bytes: Buffer, charset: string, isWhole: boolean): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return null;
  }
}
