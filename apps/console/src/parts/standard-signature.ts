const PREFIX = 'whsec_';
const KEY_BYTES = 24;

/** False where the page came over plain http from another machine. */
export function hasCrypto(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

export function newSecret(): string {
  return PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
}

/** The key in a secret; null where it has none. */
export function keyIn(secret: string): Uint8Array<ArrayBuffer> | null {
  if (!secret.startsWith(PREFIX)) return null;
  try {
    const bytes = Uint8Array.from(atob(secret.slice(PREFIX.length)), (character) => character.charCodeAt(0));
    return bytes.length === 0 ? null : bytes;
  } catch {
    return null;
  }
}

export interface SignedMessage {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly at: string;
  readonly body: string;
}

/** The signature that Standard Webhooks has for a message: `v1,…`. */
export async function standardSignature(key: Uint8Array<ArrayBuffer>, { id, at, body }: SignedMessage): Promise<string> {
  return `v1,${toBase64(await hmac(key, `${id}.${at}.${body}`))}`;
}

/** HMAC with SHA-256. */
export async function hmac(key: Uint8Array<ArrayBuffer>, message: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(message)));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
