import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { DAY_MS } from '@ports/time-units';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_TEXT = 0x0c;
const UTC_TIME = 0x17;
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';

export interface Certificate {
  /** In PEM format, like `key`. */
  readonly cert: string;
  readonly key: string;
}

/** Makes a self-signed certificate for these host names, by default valid from yesterday to tomorrow. */
export function selfSigned(names: readonly string[], from = Date.now() - DAY_MS, until = Date.now() + DAY_MS): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, objectId(ECDSA_WITH_SHA256));
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, objectId(COMMON_NAME), der(UTF8_TEXT, Buffer.from(names[0] ?? 'nobody')))));
  const altNames = der(SEQUENCE, ...names.map((host) => der(0x82, Buffer.from(host))));
  const body = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.of(2))),
    der(INTEGER, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    name,
    der(SEQUENCE, utcTime(from), utcTime(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, der(SEQUENCE, objectId(SUBJECT_ALT_NAME), der(OCTET_STRING, altNames)))),
  );
  const signature = der(BIT_STRING, Buffer.of(0), sign('sha256', body, privateKey));
  return {
    cert: pem('CERTIFICATE', der(SEQUENCE, body, algorithm, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const objectId = (hex: string): Buffer => der(OBJECT_ID, Buffer.from(hex, 'hex'));

const utcTime = (time: number): Buffer =>
  der(UTC_TIME, Buffer.from(`${new Date(time).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;
