import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type Hmac,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Secrets } from '@ports/secrets.port';
import { ChancePool } from './chance-pool.js';
import { hashPassword, SALT_BYTES, verifyPassword } from './password-hash.js';

const KEY_BYTES = 32;
const KEY_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
const KEYS_CACHED = 2_000;

export class NodeCryptoSecrets extends Secrets {
  private readonly root: KeyObject;
  private readonly sealing: KeyObject;
  private readonly chance = new ChancePool();
  private readonly signing = new LRUCache<string, KeyObject>({
    max: KEYS_CACHED,
    memoMethod: (bytes) => createSecretKey(bytes, 'latin1'),
  });
  private readonly purposes = new LRUCache<string, KeyObject>({
    max: KEYS_CACHED,
    memoMethod: (purpose) => createSecretKey(this.subKey(`keyed-hash:${purpose}`)),
  });

  /** `installationKey`: 32 bytes, the same at every start. */
  constructor(installationKey: Uint8Array) {
    super();
    if (installationKey.length !== KEY_BYTES) throw new Error(`The installation key must have ${KEY_BYTES} bytes.`);
    this.root = createSecretKey(installationKey);
    this.sealing = createSecretKey(this.subKey('seal'));
  }

  hash(text: string): string {
    return hash('sha256', text, 'hex');
  }

  hmac(key: string | Uint8Array, message: string, encoding: 'hex' | 'base64'): string {
    const bytes = typeof key === 'string' ? Buffer.from(key, 'utf8') : Buffer.from(key);
    return hmacSha256(this.signing.memo(bytes.toString('latin1')), message).digest(encoding);
  }

  keyedHash(purpose: string, text: string): string {
    return hmacSha256(this.purposes.memo(purpose), text).digest('hex');
  }

  seal(plain: string, context: string): string {
    const nonce = this.chance.take(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.sealing, nonce).setAAD(boundTo(context));
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(KEY_VERSION), nonce, cipher.getAuthTag(), text]).toString('base64url');
  }

  open(sealed: string, context: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < HEADER_BYTES || bytes[0] !== KEY_VERSION) throw new Error('Not a text sealed by this installation.');
    const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.sealing, nonce, { authTagLength: TAG_BYTES })
      .setAAD(boundTo(context))
      .setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEADER_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8');
  }

  hashPassword(password: string): Promise<string> {
    return hashPassword(password, Buffer.from(this.chance.take(SALT_BYTES)));
  }

  verifyPassword(password: string, hash: string): Promise<boolean> {
    return verifyPassword(password, hash);
  }

  equal(left: string, right: string): boolean {
    return timingSafeEqual(digestOf(left), digestOf(right));
  }

  private subKey(purpose: string): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.root, '', purpose, KEY_BYTES));
  }
}

/** Includes the key's version, so that a text cannot pass as sealed under another key. */
const boundTo = (context: string): Buffer => Buffer.from(`${KEY_VERSION}:${context}`, 'utf8');

const hmacSha256 = (key: KeyObject, text: string): Hmac => createHmac('sha256', key).update(text, 'utf8');

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
