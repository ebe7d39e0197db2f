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
const WRITTEN =
  /^\s*($|[^/]*$|text\/|message\/|application\/([\w.-]+[+-])?(json|jsonl|ndjson|xml|xhtml\+xml|ya?ml|javascript|www-form-urlencoded)\b)/i;
/** Codings that say nothing of the bytes of a body that has been read. */
const NO_CODING = ['', 'identity', 'chunked'];
/** Charsets that are claimed by servers' defaults for texts in UTF-8 too. */
const DOUBTED = /^(windows-1252|utf-16[lb]e)$/;
/** What a text may begin with to tell its charset. */
const MARKS = { 'utf-8': 'efbbbf', 'utf-16le': 'fffe', 'utf-16be': 'feff' };
const LETTERS_BEYOND_ASCII = /[\u0080-\ufffc]/g;
const UNREADABLE_LETTERS = /\ufffd/g;
// oxlint-disable-next-line no-control-regex -- bytes that no text in Latin-1 has
const UNWRITTEN = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/**
 * The body of an answer as text, of which at most 20 KiB are decompressed (gzip, deflate, brotli); null where the bytes are no
 * text. Bytes that begin as gzip does are decompressed as gzip, whatever coding the receiver names. A text that is not in the
 * charset that the receiver names, or has none named, is read as UTF-8, else as Latin-1.
 */
export async function responseText(
  { bytes, isWhole }: Bytes,
  header: (name: string) => string | undefined,
): Promise<{ readonly text: string | null; readonly isWhole: boolean }> {
  const codings = ['content-encoding', 'transfer-encoding'].flatMap((name) => (header(name) ?? '').split(',').map(nameIn));
  const applied = codings.filter((coding) => !NO_CODING.includes(coding)).slice(-MOST_CODINGS);
  let plain: Bytes = { bytes, isWhole };
  for (const coding of applied.toReversed()) {
    const decoded = await decompressed(plain, coding);
    if (!decoded) return { text: null, isWhole: false };
    plain = decoded;
  }
  if (isGzip(plain.bytes)) plain = (await decompressed(plain, 'gzip')) ?? plain;
  const text = lettersOf(plain, header('content-type') ?? '');
  return { text, isWhole: plain.isWhole && text !== null };
}

/** The name of a coding, without parameters and quotation marks. */
function nameIn(coding: string): string {
  return (coding.split(';')[0] ?? '').replaceAll('"', '').trim().toLowerCase();
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
  if (isGzip(bytes)) return createGunzip({ finishFlush });
  if (coding !== 'br' && hasZlibHeader(bytes)) return createInflate({ finishFlush });
  if (coding === 'deflate') return createInflateRaw({ finishFlush });
  if (coding !== 'br') return null;
  return createBrotliDecompress({ finishFlush: isCut ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_FINISH });
}

function isGzip(bytes: Buffer): boolean {
  return bytes.length > 2 && bytes.readUIntBE(0, 3) === 0x1f_8b_08;
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
  const charset = markOf(bytes) ?? encodingOf(CHARSET.exec(type)?.[1] ?? 'utf-8');
  const utf8 = tryUtf8(bytes, isWhole);
  if (utf8 !== null && (charset === 'utf-8' || (DOUBTED.test(charset) && !UNWRITTEN.test(utf8)))) return utf8;
  const text = (charset === 'utf-8' ? null : tryDecoding(bytes, charset, isWhole)) ?? utf8;
  if (text !== null || !WRITTEN.test(type)) return text;
  return UNWRITTEN.test(bytes.toString('latin1')) ? null : (damagedUtf8(bytes) ?? new TextDecoder('windows-1252').decode(bytes));
}

function markOf(bytes: Buffer): string | undefined {
  const begun = bytes.toString('hex', 0, 3);
  return Object.entries(MARKS).find(([, mark]) => begun.startsWith(mark))?.[0];
}

/** The name of the charset that decoders know it by; an unknown one is taken for UTF-8. */
function encodingOf(charset: string): string {
  if (charset.toLowerCase() === 'utf-8') return 'utf-8';
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return 'utf-8';
  }
}

/** Many times faster than a decoder, which handles the rare cases. */
function tryUtf8(bytes: Buffer, isWhole: boolean): string | null {
  return isUtf8(bytes) ? bytes.toString('utf8').replace(/^\ufeff/, '') : tryDecoding(bytes, 'utf-8', isWhole);
}

/** A text in UTF-8 but for a few letters; null where most of them cannot be read. */
function damagedUtf8(bytes: Buffer): string | null {
  const text = new TextDecoder('utf-8').decode(bytes);
  const count = (letters: RegExp) => text.match(letters)?.length ?? 0;
  return count(LETTERS_BEYOND_ASCII) > count(UNREADABLE_LETTERS) ? text : null;
}

function tryDecoding(bytes: Buffer, charset: string, isWhole: boolean): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return null;
  }
}
