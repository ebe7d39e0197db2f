/** All cryptography of the service. */
export abstract class Secrets {
  /** SHA-256 in lowercase hex, for secrets of full entropy and for fingerprints. */
  abstract hash(text: string): string;

  /** HMAC-SHA256 of the message. A string key is taken as UTF-8. */
  abstract hmac(key: string | Uint8Array, message: string, encoding: 'hex' | 'base64'): string;

  /** HMAC-SHA256 in hex under a key of this installation, separate per purpose: cursors, claims, CSRF tokens. */
  abstract keyedHash(purpose: string, text: string): string;

  /** Encrypts with the installation's key. `open` needs the same `context`. */
  abstract seal(plain: string, context: string): string;

  /** Decrypts. Throws when the text was altered or the context differs. */
  abstract open(sealed: string, context: string): string;

  /** A slow salted hash of a password. */
  abstract hashPassword(password: string): Promise<string>;

  /** False also for a hash in an unknown format. */
  abstract verifyPassword(password: string, hash: string): Promise<boolean>;

  /** Compares in constant time. */
  abstract equal(left: string, right: string): boolean;
}
