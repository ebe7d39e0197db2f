/** The only cryptography. */
export abstract class Secrets {
  /** SHA-256, lowercase hex. For secrets of full entropy and fingerprints. */
  abstract hash(text: string): string;

  /** HMAC-SHA256 of the message. A string key is its UTF-8 bytes. */
  abstract hmac(key: string | Uint8Array, message: string, encoding: 'hex' | 'base64'): string;

  /** HMAC-SHA256 under a key of this installation, one per purpose (hex): cursors, claims, CSRF tokens. */
  abstract keyedHash(purpose: string, text: string): string;

  /** Encrypts with the installation's key; `context` must be the same when opening. Text, safe to store. */
  abstract seal(plain: string, context: string): string;

  /** The plain text. Throws when the text was altered or the context differs. */
  abstract open(sealed: string, context: string): string;

  /** A slow salted hash of a password. */
  abstract hashPassword(password: string): Promise<string>;

  /** Whether the password is the one that was hashed; false for a hash of another form. */
  abstract verifyPassword(password: string, hash: string): Promise<boolean>;

  /** Comparison in constant time. */
  abstract equal(left: string, right: string): boolean;
}
